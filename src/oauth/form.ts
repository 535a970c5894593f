import type { Context as Call } from 'hono';
import { DomainError } from '../domain/kernel/errors.ts';
import type { GrantLimit } from '../domain/oauth/grant-limit.ts';
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

/** The form of a POST as a query, unread. Throws invalid_request for characters that neither has. */
export async function formAsQuery(call: Call): Promise<string> {
  const form = await call.req.text();
  if (!/^[\w\-.~*+%=&!'()/:;,@?$]*$/.test(form)) throw invalidRequest('The form is malformed.');
  return form;
}

/** The value of a required parameter. Throws invalid_request if it is missing. */
export function requireValue(form: Parameters, name: string): string {
  const value = form.value(name);
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}

/**
 * What a form says of the limit (web/oauth/limit-fields.tsx): null for all that the user sees, undefined for a form without it. Throws
 * invalid_request.
 */
export function readLimit(form: Parameters): GrantLimit | null | undefined {
  const reach = form.value('reach');
  if (reach === undefined) return undefined;
  if (reach === 'all') return null;
  if (reach !== 'chosen') throw invalidRequest('reach must be all or chosen.');
  const [organizationIds, projectIds] = [form.values('organization'), form.values('project')];
  if (!organizationIds || !projectIds) throw invalidRequest('organization and project must not be empty.');
  return { organizationIds, projectIds };
}

/** What is wrong with the chosen limit, for the page; throws any other error. */
export function limitProblem(error: unknown): string {
  if (!(error instanceof DomainError && error.at?.startsWith('limitedTo'))) throw error;
  return error.code === 'NOT_FOUND' ? 'What you chose is not there any more. Choose again.' : error.message;
}
