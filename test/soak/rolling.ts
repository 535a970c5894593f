import { healthyProxy } from '../support/servers/healthy-proxy.ts';
import { freePort, type ServerProcess } from '../support/servers/processes.ts';
import { findLost, startLoad, type Workers } from './load.ts';
import { newSite } from './site.ts';

export interface Rolling extends Workers {
  /** At least so many restarts, and so many requests. */
  restarts: number;
  requests: number;
  /** After which there is no further one, whatever was reached. */
  minutes: number;
  program?: string[];
}

/** Two processes on one database behind a proxy, each restarted in turn under load. Gives how often each status came. */
export async function restartInTurn(
  { restarts, requests, minutes, program, ...workers }: Rolling,
  server: string,
) {
  const site = await newSite(server);
  const ports = [await freePort(), await freePort()];
  const open = (port: number) => site.serve(port, { STOP_DELAY_SECONDS: '2' }, program);
  const running: ServerProcess[] = await Promise.all(ports.map(open));
  const proxy = await healthyProxy(ports);
  const load = startLoad(() => ({ ...site, url: proxy.url }), workers);
  const answered = () => [...load.statuses.values()].reduce((sum, count) => sum + count, 0);
  const end = performance.now() + minutes * 60_000;
  let turn = 0;
  try {
    for (; (turn < restarts || answered() < requests) && performance.now() < end; turn++) {
      const which = turn % 2;
      const code = await (running[which] as ServerProcess).end('SIGTERM');
      if (code !== 0) throw new Error(`a process ended with ${code}`);
      running[which] = await open(ports[which] as number);
      await proxy.sees(2);
    }
    await load.stop();
    return {
      restarts: turn,
      requests: answered(),
      statuses: Object.fromEntries(load.statuses),
      slowest: Math.round(load.slowest),
      acked: load.acked.size,
      ...(await site.look((db) => findLost(db, load.acked, workers.batch))),
    };
  } finally {
    await load.stop();
    await Promise.all(running.map((each) => each.stop()));
    await proxy.close();
    await site.remove();
  }
}
