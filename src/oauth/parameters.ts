/** The parameters of a request, as RFC 6749 §3.1 and §3.2 read them. */
export interface Parameters {
  /** Undefined for what is left out, sent without a value, sent more than once, or not well-formed. */
  value(name: string): string | undefined;
  /** Why a parameter cannot be read, whatever it means. */
  fault(name: string): string | undefined;
  has(name: string): boolean;
  /** Of a parameter that may be sent several times, in their order; undefined where one is empty or not well-formed. */
  values(name: string): string[] | undefined;
}

/** `application/x-www-form-urlencoded` in UTF-8 (RFC 6749 appendix B); undefined for what is no such text. */
export function decodeForm(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text.replaceAll('+', ' '));
    return value.includes('\0') ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Reads a query or a form. Names that nobody asks for are ignored, whatever they hold (RFC 6749 §3.1). */
export function readParameters(text: string): Parameters {
  const found = new Map<string, (string | undefined)[]>();
  for (const part of text.split('&')) {
    const [name, ...values] = part.split('=') as [string, ...string[]];
    const key = decodeForm(name);
    if (!key) continue;
    const value = decodeForm(values.join('='));
    const earlier = found.get(key);
    if (earlier) earlier.push(value);
    else found.set(key, [value]);
  }
  const only = (name: string) => (found.get(name)?.length === 1 ? found.get(name)?.[0] : undefined);
  return {
    value: (name) => only(name) || undefined,
    has: (name) => found.has(name),
    values(name) {
      const values = found.get(name) ?? [];
      return values.every((value) => value) ? (values as string[]) : undefined;
    },
    fault(name) {
      const values = found.get(name) ?? [];
      if (values.length > 1) return `${name} is given more than once.`;
      return values.length === 1 && values[0] === undefined ? `${name} is not well-formed.` : undefined;
    },
  };
}
