import { chainFault } from '../support/chain.ts';
import type { PostgresServer } from '../support/servers/postgres-server.ts';
import { freePort, type ServerProcess } from '../support/servers/processes.ts';
import { sleep, until } from './calls.ts';
import { findLost, type Load, startLoad, type Workers } from './load.ts';
import { newSite, type Site } from './site.ts';

export interface Killed {
  /** Kills of the server, and of the database under it. */
  kills: { server: number; database: number };
  /** Folders whose creation was acknowledged. */
  acked: number;
  /** Acknowledged, and not there afterwards. */
  lost: number;
  /** Writes of which a part is there. */
  torn: number;
  /** How often each status came, `none` where no answer did. */
  statuses: Record<string, number>;
  /** Milliseconds from the start of a process after a kill to its first answer that it is ready, the longest. */
  slowestStart: number;
  /** Milliseconds from the first answer of a database after a kill to the first write that succeeded, the longest. */
  slowestHealing: number;
  /** Of the chain of events; undefined when it is whole. */
  chain: string | undefined;
}

export interface Killing extends Workers {
  kills: number;
  /** Folders that are to be acknowledged in all. */
  writes: number;
  /** After which it comes to its end, whatever it has reached. */
  minutes: number;
  program?: string[];
}

/**
 * Kills (kill -9) under writes again and again, at no particular moment, and looks for what was acknowledged: the server
 * alone, on the database that is named or the embedded one; or the server and a database of one's own in turn.
 */
export async function killAgainAndAgain(
  { kills, writes, minutes, program, ...workers }: Killing,
  database?: string | PostgresServer,
): Promise<Killed> {
  const own = typeof database === 'object' ? database : undefined;
  const site = await newSite(typeof database === 'object' ? database.url : database);
  const port = await freePort();
  const acked = new Set<string>();
  const statuses: Killed['statuses'] = {};
  const done = { server: 0, database: 0 };
  const slowest = { start: 0, healing: 0 };
  const end = performance.now() + minutes * 60_000;
  let running: ServerProcess | undefined;
  try {
    for (let turn = 0; turn < kills && performance.now() < end; turn++) {
      const begin = performance.now();
      running ??= await site.serve(port, {}, program);
      slowest.start = Math.max(slowest.start, performance.now() - begin);
      const load = startLoad(() => ({ ...site, url: `http://127.0.0.1:${port}` }), workers);
      await until(() => load.acked.size >= writes / kills, end);
      await sleep(Math.random() * 2_000);
      if (own && turn % 2 === 1) {
        slowest.healing = Math.max(slowest.healing, await killDatabase(own, load, end));
        done.database++;
      } else {
        await running.end('SIGKILL');
        running = undefined;
        done.server++;
      }
      await load.stop();
      for (const name of load.acked) acked.add(name);
      for (const [status, count] of load.statuses) statuses[status] = (statuses[status] ?? 0) + count;
    }
    await running?.end('SIGKILL');
    return {
      kills: done,
      acked: acked.size,
      ...(await whatIsLeft(site, acked, workers.batch)),
      statuses,
      slowestStart: Math.round(slowest.start),
      slowestHealing: Math.round(slowest.healing),
    };
  } finally {
    await running?.stop();
    await site.remove();
  }
}

/** Kills the database and starts it again; gives how long the server then takes until it writes, in milliseconds. */
async function killDatabase(database: PostgresServer, load: Load, end: number): Promise<number> {
  await database.kill();
  await database.start();
  const [begin, before] = [performance.now(), load.acked.size];
  await until(() => load.acked.size > before, end);
  return performance.now() - begin;
}

const whatIsLeft = (site: Site, acked: ReadonlySet<string>, batch: number | undefined) =>
  site.look(async (db) => ({
    ...(await findLost(db, acked, batch)),
    chain: await chainFault(db, site.organizationId),
  }));
