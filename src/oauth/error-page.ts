import type { Context as Call, Handler } from 'hono';
import { DomainError, unavailable } from '../domain/kernel/errors.ts';
import { Message } from '../web/ui/message.tsx';
import { page } from '../web/ui/page.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError } from './errors.ts';

/** An endpoint for people, whose errors are shown on a page. */
export const withErrorPage =
  (
    server: AuthorizationServer,
    endpoint: (server: AuthorizationServer, call: Call) => Promise<Response>,
  ): Handler =>
  async (call) => {
    try {
      return await endpoint(server, call);
    } catch (error) {
      return errorPage(server, call, error);
    }
  };

/** The error page, from which the user goes back, or to the start page. */
function errorPage(server: AuthorizationServer, call: Call, error: unknown): Response {
  const { status, text } = describeError(server, call, error);
  const title = 'Error: the request failed';
  const headers = { 'Referrer-Policy': 'no-referrer', ...(error instanceof OAuthError && error.headers) };
  return page(Message({ title, text }), { status, headers });
}

function describeError(
  { report, requestIdOf }: AuthorizationServer,
  call: Call,
  error: unknown,
): { status: number; text: string } {
  if (error instanceof OAuthError) return { status: error.status, text: textOf(error) };
  if (error instanceof DomainError)
    return { status: error.code === 'FORBIDDEN' ? 403 : 400, text: error.message };
  const outage = unavailable(error);
  if (outage) return { status: 503, text: outage.message };
  const requestId = requestIdOf(call);
  report(error, requestId);
  return { status: 500, text: `Something went wrong on our side (server_error, request ${requestId}).` };
}

/** Users cannot fix an invalid request: the text says that nothing was allowed, and what to report to the developers. */
const textOf = ({ message, code }: OAuthError): string =>
  code === 'invalid_request'
    ? `Nothing was allowed. The application sent you here with an invalid request. Report this to its developers: ${message} (${code})`
    : `${message} (${code})`;
