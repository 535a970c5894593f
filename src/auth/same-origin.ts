import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../domain/kernel/errors.ts';

/** Which page sent a request, as the browser says: one of ours, another site's, or unsaid (then it is no browser of today). */
export type Sender = 'own' | 'foreign' | 'unsaid';

/**
 * Scripts can set neither header. Sec-Fetch-Site comes with every request over https and to localhost; Origin with every
 * POST. `own` are the origins that we answer under.
 */
export function senderOf(headers: Headers, own: readonly string[]): Sender {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' ? 'own' : 'foreign';
  const origin = headers.get('origin');
  if (origin !== null) return own.includes(origin) ? 'own' : 'foreign';
  return 'unsaid';
}

/** What a signed-in browser's forms carry in a hidden `form_token`: made of the cookie's secret, and says nothing of it. */
export const formToken = (secret: string): string =>
  createHmac('sha256', secret).update('form').digest('base64url');

/** Throws FORBIDDEN for a form that another site sent. Enough where no cookie lends its rights, as in signing in. */
export function refuseOtherSites(headers: Headers, own: readonly string[]): void {
  if (senderOf(headers, own) === 'foreign')
    throw new DomainError('FORBIDDEN', 'This was sent from another site, so nothing was done.');
}

/** Throws FORBIDDEN unless the form came from a page that we made for this very sign-in. */
export function requireOwnForm(
  headers: Headers,
  own: readonly string[],
  { secret, token }: { secret: string; token: string | null },
): void {
  refuseOtherSites(headers, own);
  const expected = Buffer.from(formToken(secret));
  const presented = Buffer.from(token ?? '');
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected))
    throw new DomainError('FORBIDDEN', 'This page is out of date. Go back, load it again, and repeat.');
}
