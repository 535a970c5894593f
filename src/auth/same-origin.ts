import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../domain/kernel/errors.ts';

/** Which site's page sent a request, according to the browser; `unknown` for clients that are not current browsers. */
export type Sender = 'own' | 'foreign' | 'unknown';

/**
 * Scripts cannot set these headers. Browsers send Sec-Fetch-Site with every request over https and to localhost, and Origin
 * with every POST. `own`: the origins of this server.
 */
export function senderOf(headers: Headers, own: readonly string[]): Sender {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' ? 'own' : 'foreign';
  const origin = headers.get('origin');
  if (origin !== null) return own.includes(origin) ? 'own' : 'foreign';
  return 'unknown';
}

/** The CSRF token of a session's forms (`form_token`): derived from the cookie's secret without revealing it. */
export const formToken = (secret: string): string =>
  createHmac('sha256', secret).update('form').digest('base64url');

/** Throws FORBIDDEN for a form from another site. Sufficient where no cookie authenticates, as in signing in. */
export function refuseOtherSites(headers: Headers, own: readonly string[]): void {
  if (senderOf(headers, own) === 'foreign')
    throw new DomainError('FORBIDDEN', 'The form was sent from another site and was not processed.');
}

/** Throws FORBIDDEN unless the form is from a page that was rendered for this session. */
export function requireOwnForm(
  headers: Headers,
  own: readonly string[],
  { secret, token }: { secret: string; token: string | null },
): void {
  refuseOtherSites(headers, own);
  const expected = Buffer.from(formToken(secret));
  const presented = Buffer.from(token ?? '');
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected))
    throw new DomainError('FORBIDDEN', 'This page is out of date. Go back, reload it and try again.');
}
