import { healthyProxy } from '../support/healthy-proxy.ts';
import { freePort, type ServerProcess } from '../support/processes.ts';
import { writeLoad } from './load.ts';
import { newSite } from './site.ts';

/** Two processes on one database behind a proxy, each restarted in turn under load. Gives how often each status came. */
export async function restartInTurn(
  { restarts, writers, program }: { restarts: number; writers: number; program?: string[] },
  server: string,
  env: (databaseUrl: string) => Record<string, string> = () => ({}),
): Promise<{ statuses: Record<string, number>; slowest: number; acked: number; lost: number }> {
  const site = await newSite(server);
  const ports = [await freePort(), await freePort()];
  const open = (port: number) =>
    site.serve(port, { STOP_DELAY_SECONDS: '2', ...env(site.databaseUrl as string) }, program);
  const running: ServerProcess[] = await Promise.all(ports.map(open));
  const proxy = await healthyProxy(ports);
  const load = writeLoad(() => ({ ...site, url: proxy.url }), writers);
  try {
    for (let turn = 0; turn < restarts; turn++) {
      const which = turn % 2;
      const code = await (running[which] as ServerProcess).end('SIGTERM');
      if (code !== 0) throw new Error(`a process ended with ${code}`);
      running[which] = await open(ports[which] as number);
      await proxy.sees(2);
    }
    await load.stop();
    const present = await site.look(async (db) => {
      const folders = await db.prisma.folder.findMany({ select: { name: true } });
      return new Set(folders.map(({ name }) => name));
    });
    return {
      statuses: Object.fromEntries(load.statuses),
      slowest: Math.round(load.slowest),
      acked: load.acked.size,
      lost: [...load.acked].filter((name) => !present.has(name)).length,
    };
  } finally {
    await load.stop();
    await Promise.all(running.map((each) => each.stop()));
    await proxy.close();
    await site.remove();
  }
}
