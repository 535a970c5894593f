import { freePort } from '../support/servers/processes.ts';
import { type Mode, proxyBefore } from '../support/servers/tcp-proxy.ts';
import { sleep } from './calls.ts';
import { findLost, startLoad } from './load.ts';
import { newSite } from './site.ts';

export interface Outage {
  mode: Mode;
  statuses: Record<string, number>;
  /** Milliseconds: of the longest wait for an answer, and from the healing to the first write that succeeded. */
  slowest: number;
  healed: number;
  lost: number;
}

/** Takes the database away from a server under load, and gives it back. */
export async function takeAway(
  { mode, ms, program }: { mode: Mode; ms: number; program?: string[] },
  server: string,
): Promise<Outage> {
  const site = await newSite(server);
  const { proxy, url } = await proxyBefore(site.databaseUrl as string);
  const running = await site.serve(await freePort(), { DATABASE_URL: url }, program);
  try {
    const load = startLoad(() => ({ ...site, url: running.url }), { writers: 8 });
    await sleep(2_000);
    proxy.mode(mode);
    await sleep(ms);
    const [before, begin] = [load.acked.size, performance.now()];
    proxy.mode('pass');
    while (load.acked.size === before) await sleep(5);
    const healed = performance.now() - begin;
    await sleep(1_000);
    await load.stop();
    const { lost } = await site.look((db) => findLost(db, load.acked));
    return {
      mode,
      statuses: Object.fromEntries(load.statuses),
      slowest: Math.round(load.slowest),
      healed: Math.round(healed),
      lost,
    };
  } finally {
    await running.stop();
    await proxy.close();
    await site.remove();
  }
}
