import type { Context as Call } from 'hono';
import { invalidRequest } from './errors.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** Parameters with secrets. */
const SECRET_PARAMETERS = ['client_secret', 'code', 'code_verifier', 'refresh_token', 'token'];

/**
 * Reads the form of a POST. Throws invalid_request for another media type (RFC 6749 §4.1.3), for a repeated parameter
 * among `names` (§3.2), and for a secret in the query, where it would be logged (§2.3.1).
 */
export async function readForm(call: Call, names: readonly string[]): Promise<Parameters> {
  const type = call.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw invalidRequest('The body must be application/x-www-form-urlencoded.');
  const query = readParameters(queryOf(call.req.url));
  const exposed = SECRET_PARAMETERS.find((name) => query.has(name));
  if (exposed) throw invalidRequest(`${exposed} must be in the body, not in the URL.`);
  const form = readParameters(await call.req.text());
  for (const name of names) {
    const error = form.error(name);
    if (error) throw invalidRequest(error);
  }
  return form;
}

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** The value of a required parameter. Throws invalid_request if it is missing. */
export function requireValue(form: Parameters, name: string): string {
  const value = form.value(name);
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}
