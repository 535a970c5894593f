import { Hono } from 'hono';
import { SECOND } from '../lib/time.ts';
import type { Lifecycle } from '../telemetry/lifecycle.ts';

/** A dependency that takes longer to respond counts as failing. */
const PING_TIMEOUT = 2 * SECOND;

export interface HealthOptions {
  lifecycle: Lifecycle;
  /** What the process needs to serve requests, by name; each rejects when it is not available. */
  dependencies: Record<string, () => Promise<unknown>>;
  /** How optional parts stand, by name: what does it, or why nothing does. `/readyz?details` lists them, for anyone to read. */
  parts: Record<string, () => Promise<string>>;
}

/** `/healthz`: the process is alive. `/readyz`: it can serve requests and is not stopping; otherwise 503 with the reason. */
export function healthRouter({ lifecycle, dependencies: needs, parts }: HealthOptions): Hono {
  const app = new Hono();
  app.get('/healthz', (call) => call.text('ok'));
  app.get('/readyz', async (call) => {
    const failing = lifecycle.stopping ? ['the process is stopping'] : await failingOf(needs);
    const details = call.req.query('details') === undefined ? [] : await linesOf(parts);
    if (failing.length === 0) return call.text(['ok', ...details].join('\n'));
    return call.text(`not ready: ${failing.join(', ')}`, 503, { 'Retry-After': '1' });
  });
  return app;
}

const linesOf = (parts: HealthOptions['parts']): Promise<string[]> =>
  Promise.all(Object.entries(parts).map(async ([name, state]) => `${name}: ${await state()}`));

async function failingOf(needs: HealthOptions['dependencies']): Promise<string[]> {
  const names = await Promise.all(
    Object.entries(needs).map(async ([name, ping]) => ((await responds(ping)) ? [] : [name])),
  );
  return names.flat();
}

async function responds(ping: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_TIMEOUT);
  });
  const response = ping().then(
    () => true,
    () => false,
  );
  return Promise.race([response, timeout]).finally(() => clearTimeout(timer));
}
