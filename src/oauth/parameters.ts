/** The parameters of a request, as RFC 6749 §3.1 and §3.2 read them. */
export interface Parameters {
  /** Undefined if the parameter is absent, empty, repeated or malformed. */
  value(name: string): string | undefined;
  /** Why a parameter cannot be read (repeated or malformed), if so. */
  error(name: string): string | undefined;
  has(name: string): boolean;
  /** All values of a parameter that may be repeated, in order; undefined if one is empty or malformed. */
  values(name: string): string[] | undefined;
}

/** Decodes `application/x-www-form-urlencoded` in UTF-8 (RFC 6749 appendix B); undefined if malformed. */
export function decodeForm(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text.replaceAll('+', ' '));
    return value.includes('\0') ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Reads a query or a form. Unknown parameters are ignored, whatever they contain (RFC 6749 §3.1). */
export function readParameters(text: string): Parameters {
  const parameters = new Map<string, (string | undefined)[]>();
  for (const part of text.split('&')) {
    const [name, ...values] = part.split('=') as [string, ...string[]];
    const key = decodeForm(name);
    if (!key) continue;
    const value = decodeForm(values.join('='));
    const earlier = parameters.get(key);
    if (earlier) earlier.push(value);
    else parameters.set(key, [value]);
  }
  const single = (name: string) =>
    parameters.get(name)?.length === 1 ? parameters.get(name)?.[0] : undefined;
  return {
    value: (name) => single(name) || undefined,
    has: (name) => parameters.has(name),
    values(name) {
      const values = parameters.get(name) ?? [];
      return values.every((value) => value) ? (values as string[]) : undefined;
    },
    error(name) {
      const values = parameters.get(name) ?? [];
      if (values.length > 1) return `${name} occurs more than once.`;
      return values.length === 1 && values[0] === undefined ? `${name} is malformed.` : undefined;
    },
  };
}
