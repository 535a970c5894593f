/** The ids of the fixture by the names of path parameters, and those that only bodies and queries name. */
export type Ids = Record<string, string>;

/** The shape of a call of a published client. */
export interface Call {
  method: string;
  /** `@` is the organization, `~` the project; `{name}` an id of the fixture. */
  path: string;
  /** Parameters that the clients always send; booleans as `true`. */
  query?: string;
  /** A JSON value, or a text for plain text; absent for no body. */
  body?: (ids: Ids) => unknown;
  /**
   * The record that the client reads first and sends back with the body's members replaced: GET of this path, or of the
   * call's own. An array is sent with its first item changed.
   */
  echo?: string | true;
  /** Why the call is answered by 404. */
  notServed?: string;
}

/** `METHOD path?query`, with what is sent. */
export function call(line: string, more: Omit<Call, 'method' | 'path' | 'query'> = {}): Call {
  const [method = '', address = ''] = line.split(' ');
  const [path = '', query] = address.split('?');
  return { method, path, ...(query && { query }), ...more };
}

/** Calls without a body, one a line. */
export const calls = (lines: string): Call[] =>
  lines
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => call(line));

/** Calls that are answered by 404 for one reason. */
export const notServed = (reason: string, lines: string, body?: Call['body']): Call[] =>
  calls(lines).map((each) => ({ ...each, notServed: reason, ...(body && { body }) }));
