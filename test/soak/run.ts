import { attackGraph } from './attack.ts';
import { killAgainAndAgain } from './kill.ts';
import { takeAway } from './outage.ts';
import { throughPgBouncer } from './pooled.ts';
import { restartInTurn } from './rolling.ts';
import { BUILT } from './site.ts';
import { slowClients } from './slow.ts';
import { compareTimes } from './timing.ts';

/** `npm run soak`: what takes minutes. `npm run soak -- kill 50` runs one part, with its number. */
const server = process.env.TEST_DATABASE_URL;
const [only, number] = process.argv.slice(2);
const times = (usual: number) => Number(number ?? usual);

const needsServer = (run: (server: string) => Promise<unknown>) => () =>
  server ? run(server) : Promise.resolve('left out: TEST_DATABASE_URL names no PostgreSQL server');

const parts: Record<string, () => Promise<unknown>> = {
  kill: () => killAgainAndAgain({ kills: times(20), writers: 8, program: BUILT }),
  'kill-postgres': needsServer((url) =>
    killAgainAndAgain({ kills: times(20), writers: 8, program: BUILT }, url),
  ),
  rolling: needsServer((url) => restartInTurn({ restarts: times(6), writers: 8, program: BUILT }, url)),
  refused: needsServer((url) => takeAway({ mode: 'refuse', ms: times(10) * 1_000, program: BUILT }, url)),
  attack: needsServer((url) => attackGraph({ seconds: times(30), program: BUILT }, url)),
  slow: needsServer((url) => slowClients({ connections: times(200), program: BUILT }, url)),
  timing: needsServer((url) => compareTimes({ samples: times(2_000), program: BUILT }, url)),
  pgbouncer: needsServer((url) => throughPgBouncer({ queries: times(10_000), program: BUILT }, url)),
  held: needsServer((url) => takeAway({ mode: 'hold', ms: times(10) * 1_000, program: BUILT }, url)),
};

for (const [name, run] of Object.entries(parts)) {
  if (only && only !== name) continue;
  console.log(name, await run());
}
process.exit(0);
