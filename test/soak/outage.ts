import { freePort } from '../support/processes.ts';
import { type Mode, tcpProxy } from '../support/tcp-proxy.ts';
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
  const url = new URL(site.databaseUrl as string);
  const proxy = await tcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
  url.host = `127.0.0.1:${proxy.port}`;
  const running = await site.serve(await freePort(), { DATABASE_URL: url.href }, program);
  try {
    const load = startLoad(() => ({ ...site, url: running.url }), { writers: 8 });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    proxy.mode(mode);
    await new Promise((resolve) => setTimeout(resolve, ms));
    const [before, begin] = [load.acked.size, performance.now()];
    proxy.mode('pass');
    while (load.acked.size === before) await new Promise((resolve) => setTimeout(resolve, 5));
    const healed = performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
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
