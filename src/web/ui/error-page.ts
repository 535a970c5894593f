import type { Context as Call } from 'hono';
import { DomainError, unavailable } from '../../domain/kernel/errors.ts';
import { Message } from './message.tsx';
import { page } from './page.ts';

export interface ErrorReporting {
  requestIdOf: (call: Call) => string;
  /** Logs an unexpected error. */
  report: (error: unknown, requestId: string) => void;
}

const STATUS: Partial<Record<DomainError['code'], number>> = {
  FORBIDDEN: 403,
  TOO_LARGE: 413,
  UNAVAILABLE: 503,
};

const TITLE = 'The request failed';
const SIGN_IN = { href: '/sign-in', text: 'Go to the sign-in page' };

/** The HTML page for an error. Reports an unexpected one and shows a fixed text for it. */
export function errorPage({ report, requestIdOf }: ErrorReporting, call: Call, thrown: unknown): Response {
  const error = unavailable(thrown) ?? thrown;
  if (error instanceof DomainError) {
    const status = STATUS[error.code] ?? 400;
    const headers: Record<string, string> = status === 503 ? { 'Retry-After': '5' } : {};
    return page(Message({ title: TITLE, text: error.message, link: SIGN_IN }), { status, headers });
  }
  report(error, requestIdOf(call));
  const text = 'Something went wrong on our side. Try again in a moment.';
  return page(Message({ title: TITLE, text, link: SIGN_IN }), { status: 500 });
}
