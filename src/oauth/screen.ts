import type { Context as Call, Handler } from 'hono';
import { DomainError, unavailable } from '../domain/kernel/errors.ts';
import { Message } from '../web/ui/message.tsx';
import { page } from '../web/ui/page.ts';
import { OAuthError } from './errors.ts';
import type { AuthorizationServer } from './service.ts';

/** An endpoint for people: what it refuses is said on a page. */
export const withErrorPage =
  (
    parts: AuthorizationServer,
    endpoint: (parts: AuthorizationServer, call: Call) => Promise<Response>,
  ): Handler =>
  async (call) => {
    try {
      return await endpoint(parts, call);
    } catch (error) {
      return errorPage(parts, call, error);
    }
  };

/** The error page: for a person, who can only go back. */
function errorPage(parts: AuthorizationServer, call: Call, error: unknown): Response {
  const { status, text } = told(parts, call, error);
  const title = 'Error: this request cannot go on';
  const headers = { 'Referrer-Policy': 'no-referrer', ...(error instanceof OAuthError && error.headers) };
  return page(Message({ title, text }), { status, headers });
}

function told(
  { report, requestIdOf: newRequestId }: AuthorizationServer,
  call: Call,
  error: unknown,
): { status: number; text: string } {
  if (error instanceof OAuthError) return { status: error.status, text: explained(error) };
  if (error instanceof DomainError)
    return { status: error.code === 'FORBIDDEN' ? 403 : 400, text: error.message };
  const away = unavailable(error);
  if (away) return { status: 503, text: away.message };
  const requestId = newRequestId(call);
  report(error, requestId);
  return { status: 500, text: `Something went wrong on our side (server_error, request ${requestId}).` };
}

/** Most people who see this cannot mend it: they learn that nothing happened, and what to tell those who can. */
const explained = ({ message, code }: OAuthError): string =>
  code === 'invalid_request'
    ? `Nothing was allowed. The application sent you here with a request that cannot be trusted; its makers can use this: ${message} (${code})`
    : `${message} (${code})`;
