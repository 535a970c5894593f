import type { Context as Call } from 'hono';
import { invalidRequest } from './errors.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** Parameters that are worth something to whoever reads a log. */
const SECRET = ['client_secret', 'code', 'code_verifier', 'refresh_token', 'token'];

/**
 * The form of a POST. Throws invalid_request for another type of body (RFC 6749 §4.1.3), for one of the `known`
 * parameters twice (§3.2), and for a secret in the address, where it would be logged (§2.3.1).
 */
export async function readForm(call: Call, known: readonly string[]): Promise<Parameters> {
  const type = call.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw invalidRequest('The body must be application/x-www-form-urlencoded.');
  const query = readParameters(queryOf(call.req.url));
  const exposed = SECRET.find((name) => query.has(name));
  if (exposed) throw invalidRequest(`${exposed} belongs in the body, never in the address.`);
  const form = readParameters(await call.req.text());
  for (const name of known) {
    const fault = form.fault(name);
    if (fault) throw invalidRequest(fault);
  }
  return form;
}

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** Throws invalid_request for a parameter that is missing. */
export function requireValue(form: Parameters, name: string): string {
  const value = form.value(name);
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}
