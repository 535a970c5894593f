import { startPgBouncer } from '../support/servers/pgbouncer.ts';
import { freePort } from '../support/servers/processes.ts';
import { askGraph, LIGHT } from './calls.ts';
import { newSite } from './site.ts';

/** So many queries, 20 at a time, by way of PgBouncer in transaction mode; gives how many failed. */
export async function throughPgBouncer(
  { queries, program }: { queries: number; program?: string[] },
  server: string,
): Promise<{ queries: number; failed: number }> {
  const site = await newSite(server);
  const bouncer = await startPgBouncer(server);
  const env = { DATABASE_URL: bouncer.urlOf(site.databaseUrl as string) };
  const running = await site.serve(await freePort(), env, program);
  try {
    let [left, failed] = [queries, 0];
    const ask = async () => {
      while (left-- > 0) await askGraph(running.url, site.key, LIGHT).catch(() => failed++);
    };
    await Promise.all(Array.from({ length: 20 }, ask));
    return { queries, failed };
  } finally {
    await running.stop();
    await bouncer.stop();
    await site.remove();
  }
}
