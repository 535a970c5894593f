/** Options for the script of forms that a passkey fills in. */
export const optionsResponse = (options: object, headers: Record<string, string> = {}): Response =>
  Response.json(options, { headers: { 'Cache-Control': 'no-store', ...headers } });
