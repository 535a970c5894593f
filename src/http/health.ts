import { Hono } from 'hono';
import { SECOND } from '../lib/time.ts';
import type { Lifecycle } from '../telemetry/lifecycle.ts';

/** What does not answer in this time does not answer, as far as serving requests goes. */
const PATIENCE = 2 * SECOND;

export interface HealthOptions {
  lifecycle: Lifecycle;
  /** What has to answer for the process to be of use, by name. */
  dependencies: Record<string, () => Promise<unknown>>;
}

/** `/healthz`: the process lives. `/readyz`: it can serve, and wants to; otherwise 503, with what is missing. */
export function healthRouter({ lifecycle, dependencies: needs }: HealthOptions): Hono {
  const app = new Hono();
  app.get('/healthz', (call) => call.text('ok'));
  app.get('/readyz', async (call) => {
    const missing = lifecycle.stopping ? ['the process is stopping'] : await failingOf(needs);
    if (missing.length === 0) return call.text('ok');
    return call.text(`not ready: ${missing.join(', ')}`, 503, { 'Retry-After': '1' });
  });
  return app;
}

async function failingOf(needs: HealthOptions['dependencies']): Promise<string[]> {
  const answers = await Promise.all(
    Object.entries(needs).map(async ([name, ask]) => ((await responds(ask)) ? [] : [name])),
  );
  return answers.flat();
}

async function responds(ask: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE);
  });
  const answer = ask().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
