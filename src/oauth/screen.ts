import type { Context as Call, Handler } from 'hono';
import { DomainError } from '../domain/errors.ts';
import { Message } from '../screens/message.tsx';
import { page } from '../screens/page.ts';
import { OAuthError } from './errors.ts';
import type { OAuthParts } from './parts.ts';

/** An endpoint for people: what it refuses is said on a page. */
export const screen =
  (parts: OAuthParts, endpoint: (parts: OAuthParts, call: Call) => Promise<Response>): Handler =>
  async (call) => {
    try {
      return await endpoint(parts, call);
    } catch (error) {
      return problem(parts, error);
    }
  };

/** The error page: for a person, who can only go back. */
function problem(parts: OAuthParts, error: unknown): Response {
  const { status, text } = told(parts, error);
  const title = 'Error: this request cannot go on';
  return page(Message({ title, text }), { status, headers: { 'Referrer-Policy': 'no-referrer' } });
}

function told({ report, newRequestId }: OAuthParts, error: unknown): { status: number; text: string } {
  if (error instanceof OAuthError) return { status: error.status, text: `${error.message} (${error.code})` };
  if (error instanceof DomainError)
    return { status: error.code === 'FORBIDDEN' ? 403 : 400, text: error.message };
  const requestId = newRequestId();
  report(error, requestId);
  return { status: 500, text: `Something went wrong on our side (server_error, request ${requestId}).` };
}
