import type { Target } from './authorization-request.ts';
import type { RedirectedError } from './errors.ts';

/** 303, so that no browser sends a form on to the client (RFC 9700 §4.12). */
export const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  });

/** The answer to the client, with its state and our name (RFC 6749 §4.1.2, RFC 9207 §2). */
export function answerClient(
  { redirectUri, state }: Pick<Target, 'redirectUri' | 'state'>,
  issuer: string,
  answer: Record<string, string>,
): Response {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  const joint = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return seeOther(`${redirectUri}${joint}${parameters}`);
}

/** RFC 6749 §4.1.2.1. */
export const refuseClient = (target: Target, issuer: string, error: RedirectedError): Response =>
  answerClient(target, issuer, { error: error.code, error_description: error.message });
