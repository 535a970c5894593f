import type { Target } from './authorization-request.ts';
import type { RedirectedError } from './errors.ts';

/** 303, so that no browser forwards a form with its credentials to the client (RFC 9700 §4.12). */
export const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  });

/** The redirect URI with the authorization response, its state and the issuer (RFC 6749 §4.1.2, RFC 9207 §2). */
export function responseLocation(
  { redirectUri, state }: Pick<Target, 'redirectUri' | 'state'>,
  issuer: string,
  response: Record<string, string>,
): string {
  const parameters = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer });
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${separator}${parameters}`;
}

export const redirectToClient = (...response: Parameters<typeof responseLocation>): Response =>
  seeOther(responseLocation(...response));

/** RFC 6749 §4.1.2.1. */
export const redirectError = (target: Target, issuer: string, error: RedirectedError): Response =>
  redirectToClient(target, issuer, { error: error.code, error_description: error.message });
