import type { Target } from './authorization-request.ts';
import type { RedirectedError } from './errors.ts';

/** 303, so that no browser sends a form on to the client (RFC 9700 §4.12). */
export const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  });

/** Where the answer to the client goes, with its state and our name (RFC 6749 §4.1.2, RFC 9207 §2). */
export function answerLocation(
  { redirectUri, state }: Pick<Target, 'redirectUri' | 'state'>,
  issuer: string,
  answer: Record<string, string>,
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  const joint = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${joint}${parameters}`;
}

export const answerClient = (...answer: Parameters<typeof answerLocation>): Response =>
  seeOther(answerLocation(...answer));

/** RFC 6749 §4.1.2.1. */
export const refuseClient = (target: Target, issuer: string, error: RedirectedError): Response =>
  answerClient(target, issuer, { error: error.code, error_description: error.message });
