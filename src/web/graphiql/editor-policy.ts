/** What GraphiQL's editor, Monaco, needs of the CSP: it writes style elements and attributes, and runs workers. */
export const EDITOR_POLICY: Readonly<Record<string, string>> = {
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'worker-src': "'self'",
};
