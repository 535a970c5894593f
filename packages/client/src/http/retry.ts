import { ConnectionError, DocgraphError } from '../errors.ts';

export interface RetryPolicy {
  /** How often a request is sent at most, the first time included. */
  attempts: number;
  /** Milliseconds of the first pause at most. Each further one is twice as long. */
  firstPause: number;
  /** Milliseconds of a pause at most. A `Retry-After` beyond it is not waited for. */
  longestPause: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 4, firstPause: 300, longestPause: 30_000 };

/** Whether the failure is one of the moment, and the request had no effect or is safe to repeat. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof DocgraphError)) return false;
  if (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE') return true;
  // The first request with this Idempotency-Key still runs.
  return error.code === 'CONFLICT' && error.retryAfter !== undefined;
}

/** Milliseconds until attempt `attempt + 1`: what the server asks for, else a random part of the pause that doubles. */
export function pauseAfter(error: unknown, attempt: number, policy: RetryPolicy): number {
  const longest = Math.min(policy.longestPause, policy.firstPause * 2 ** (attempt - 1));
  const requested = error instanceof DocgraphError ? (error.retryAfter ?? 0) * 1_000 : 0;
  return requested > 0 ? requested + Math.random() * policy.firstPause : Math.random() * longest;
}

/** Runs until it succeeds, or until the failure is lasting. Throws the last failure. */
export async function withRetries<T>(
  run: () => Promise<T>,
  policy: RetryPolicy,
  signal?: AbortSignal | null,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= policy.attempts || !isTransient(error)) throw error;
      const requested = error instanceof DocgraphError ? (error.retryAfter ?? 0) * 1_000 : 0;
      if (requested > policy.longestPause) throw error;
      await pause(pauseAfter(error, attempt, policy), signal);
    }
  }
}

/** Waits; less where the browser reports that it is online again. Rejects with the reason of the signal. */
export function pause(milliseconds: number, signal?: AbortSignal | null, untilOnline = false): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const events = globalThis as {
      addEventListener?: EventTarget['addEventListener'];
    } & Partial<EventTarget>;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (untilOnline) events.removeEventListener?.('online', done);
      settle();
    };
    const done = () => end(resolve);
    const abort = () => end(() => reject(signal?.reason));
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
    if (untilOnline) events.addEventListener?.('online', done);
  });
}
