import type { Context as Call } from 'hono';
import { DomainError, unavailable } from '../../domain/kernel/errors.ts';
import { problemPage } from './problem-page.tsx';

export interface ErrorReporting {
  requestIdOf: (call: Call) => string;
  /** Logs an unexpected error. */
  report: (error: unknown, requestId: string) => void;
}

const STATUS: Partial<Record<DomainError['code'], number>> = {
  FORBIDDEN: 403,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

/** The HTML page for an error. Reports an unexpected one and shows a fixed text for it. */
export function errorPage({ report, requestIdOf }: ErrorReporting, call: Call, thrown: unknown): Response {
  const error = unavailable(thrown) ?? thrown;
  const requestId = requestIdOf(call);
  if (error instanceof DomainError) {
    const status = STATUS[error.code] ?? 400;
    const retryAfter = error.retryAfter ?? (status === 503 ? 5 : undefined);
    const headers: Record<string, string> = retryAfter ? { 'Retry-After': `${retryAfter}` } : {};
    return problemPage({ status, text: error.message, requestId }, headers);
  }
  report(error, requestId);
  return problemPage({ status: 500, requestId });
}
