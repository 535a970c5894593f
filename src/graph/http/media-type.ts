/** Other media types need no CORS preflight, or are parsed in other ways than the checks assume. */
export const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(contentType ?? '');

/** GraphQL multipart requests. */
export const isMultipart = (contentType = ''): boolean => /^multipart\//i.test(contentType);

/** The media type of a response in JSON; undefined if the client does not prefer one of the two that there are. */
export function jsonTypeOf(headers: Headers): string | undefined {
  const accept = headers.get('accept') ?? '*/*';
  if (accept === '*/*') return 'application/json';
  return /^application\/(?:graphql-response\+)?json\b/i.exec(accept)?.[0].toLowerCase();
}
