import { chainFault } from '../support/chain.ts';
import { freePort } from '../support/processes.ts';
import { writeLoad } from './load.ts';
import { newSite } from './site.ts';

export interface Killed {
  kills: number;
  /** Writes that were acknowledged. */
  acked: number;
  /** Acknowledged, and not there afterwards. */
  lost: number;
  /** Milliseconds from the start of a process after a kill to its first answer that it is ready, the longest. */
  slowestStart: number;
  /** Of the chain of events; undefined when it is whole. */
  chain: string | undefined;
}

/** Kills the server (kill -9) under writes again and again, at no particular moment, and looks for what was acknowledged. */
export async function killAgainAndAgain(
  { kills, writers, program }: { kills: number; writers: number; program?: string[] },
  server?: string,
): Promise<Killed> {
  const site = await newSite(server);
  const port = await freePort();
  const acked = new Set<string>();
  let slowestStart = 0;
  try {
    for (let round = 0; round < kills; round++) {
      const begin = performance.now();
      const running = await site.serve(port, {}, program);
      slowestStart = Math.max(slowestStart, performance.now() - begin);
      const load = writeLoad(() => ({ ...site, url: running.url }), writers);
      while (load.acked.size < 10) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2_000));
      await running.end('SIGKILL');
      await load.stop();
      for (const name of load.acked) acked.add(name);
    }
    return await site.look(async (db) => {
      const folders = await db.prisma.folder.findMany({ select: { name: true } });
      const present = new Set(folders.map(({ name }) => name));
      return {
        kills,
        acked: acked.size,
        lost: [...acked].filter((name) => !present.has(name)).length,
        slowestStart: Math.round(slowestStart),
        chain: await chainFault(db, site.organizationId),
      };
    });
  } finally {
    await site.remove();
  }
}
