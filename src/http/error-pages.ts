import type { Context as Call, MiddlewareHandler } from 'hono';
import { problemPage } from '../web/ui/problem-page.tsx';

/** Paths for programs, whose errors stay JSON also where a browser asks. */
const FOR_PROGRAMS = /^\/(?:api|graphql|\.well-known|healthz|readyz|metrics)(?:\/|$)/;

/** Headers of the error that the page keeps. */
const KEPT = ['Allow', 'Retry-After', 'WWW-Authenticate'];

/** Shows errors as pages to browsers: requests that accept HTML, where programs get JSON. */
export function errorPages(requestIdOf: (call: Call) => string): MiddlewareHandler {
  return async (call, next) => {
    await next();
    const { status, headers } = call.res;
    const isPage = headers.get('Content-Type')?.startsWith('text/html') ?? false;
    if (status < 400 || isPage || !wantsPage(call)) return;
    const kept = KEPT.flatMap((name): [string, string][] => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    const text = messageOf(await call.res.text());
    const response = problemPage({ status, text, requestId: requestIdOf(call) }, Object.fromEntries(kept));
    call.res = undefined;
    call.res = response;
  };
}

const wantsPage = ({ req }: Call): boolean =>
  (req.header('accept')?.includes('text/html') ?? false) && !FOR_PROGRAMS.test(req.path);

/** The text for people in the body of an error. */
function messageOf(body: string): string | undefined {
  try {
    const { message, error_description } = JSON.parse(body);
    const text = message ?? error_description;
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
