import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { ORIGIN, type Server } from '../../support/browser.ts';
import { freePort } from '../../support/servers/processes.ts';
import { newSite } from '../site.ts';
import { runRace, type Tally } from './race.ts';
import { ACCOUNT_RACES } from './races.ts';
import { newScene } from './scene.ts';

const OPTIONS = {
  PUBLIC_URL: ORIGIN,
  DATABASE_POOL: '15',
  /** The address of each browser is in X-Forwarded-For. */
  TRUST_PROXY: '1',
};

/** Sends what a browser sends to the process at `url`. */
const serverAt = (url: string): Server => ({
  request(input, init, bindings) {
    const { pathname, search } = new URL(String(input));
    const headers = new Headers(init?.headers);
    const { incoming } = bindings as { incoming: { socket: { remoteAddress: string } } };
    headers.set('x-forwarded-for', incoming.socket.remoteAddress);
    return fetch(new URL(pathname + search, url), { ...init, headers, redirect: 'manual' });
  },
});

/**
 * Processes on one database, and for each round 20 browsers that use one code, link or challenge at once. A process permits
 * five wrong codes of an account, so it takes four for all 20 to get as far as the database.
 */
export async function raceForAccounts(
  { rounds, processes, program }: { rounds: number; processes: number; program?: string[] },
  database: string,
): Promise<Record<string, Tally>> {
  const site = await newSite(database);
  const db = await openPostgres({ url: site.databaseUrl as string, pool: 5, statementTimeout: 30_000 });
  const serve = async () => site.serve(await freePort(), OPTIONS, program);
  const running = await Promise.all(Array.from({ length: processes }, serve));
  try {
    const scene = await newScene(
      db,
      running.map(({ url }) => serverAt(url)),
    );
    const result: Record<string, Tally> = {};
    for (const [name, race] of Object.entries(ACCOUNT_RACES))
      result[name] = await runRace(race, scene, rounds);
    return result;
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    await db.close();
    await site.remove();
  }
}
