import { isDeepStrictEqual, parseArgs } from 'node:util';
import { keepFigures, machine } from '../../bench/figures.ts';
import { newPostgresServer } from '../support/servers/postgres-server.ts';
import { raceForAccounts } from './accounts/run.ts';
import { attackGraph } from './attack.ts';
import { compareForms } from './enumeration/run.ts';
import { killAgainAndAgain } from './kill.ts';
import { mailThroughKills } from './mail/run.ts';
import { besideNeighbours } from './neighbours/run.ts';
import { takeAway } from './outage.ts';
import { throughPgBouncer } from './pooled.ts';
import { raceForOne } from './races.ts';
import { restartInTurn } from './rolling.ts';
import { openAgain } from './second.ts';
import { BUILT } from './site.ts';
import { slowClients } from './slow.ts';
import { goOn } from './steady.ts';
import { compareTimes } from './timing.ts';

/** Numbers, by name. */
type Settings = Record<string, number>;

interface Part<Given extends Settings = Settings> {
  settings: Given;
  run(settings: Given & { program: string[] }, server: string): Promise<unknown>;
  /** Runs without a PostgreSQL server. */
  alone?: true;
}

const part = <Given extends Settings>(
  settings: Given,
  run: Part<Given>['run'],
  more: { alone?: true } = {},
): Part => ({ settings, run: run as Part['run'], ...more });

const FIGURES = new URL('../../bench/soak.json', import.meta.url);

const KILLING = { kills: 20, writes: 50_000, writers: 8, batch: 25, minutes: 60 };

const MAILING = { mails: 10_000, processes: 3, kills: 50, down: 60, pace: 6, minutes: 40 };

const NEIGHBOURS = { seconds: 15, rate: 50, patience: 25 };

/** Both are killed, so the database is one of its own. */
async function killBoth(settings: typeof KILLING & { program: string[] }) {
  const database = await newPostgresServer();
  return killAgainAndAgain(settings, database).finally(() => database.remove());
}

const parts: Record<string, Part> = {
  kill: part(KILLING, (settings) => killAgainAndAgain(settings), { alone: true }),
  'kill-postgres': part({ ...KILLING, kills: 40 }, killBoth, { alone: true }),
  second: part({ attempts: 100 }, openAgain, { alone: true }),
  rolling: part({ restarts: 6, requests: 20_000, writers: 4, readers: 4, minutes: 60 }, restartInTurn),
  steady: part({ minutes: 30, warm: 5, connections: 8 }, goOn),
  refused: part({ seconds: 10 }, ({ seconds, program }, url) =>
    takeAway({ mode: 'refuse', ms: seconds * 1_000, program }, url),
  ),
  held: part({ seconds: 10 }, ({ seconds, program }, url) =>
    takeAway({ mode: 'hold', ms: seconds * 1_000, program }, url),
  ),
  races: part({ rounds: 1_000 }, raceForOne),
  accounts: part({ rounds: 300, processes: 4 }, raceForAccounts),
  attack: part({ seconds: 30 }, attackGraph),
  slow: part({ connections: 200 }, slowClients),
  mail: part(MAILING, mailThroughKills),
  neighbours: part(NEIGHBOURS, (settings, url) => besideNeighbours(settings, url)),
  timing: part({ samples: 2_000 }, compareTimes),
  enumeration: part({ samples: 400 }, compareForms, { alone: true }),
  pgbouncer: part({ queries: 10_000 }, throughPgBouncer),
};

/**
 * `npm run soak`: what takes minutes. `npm run soak -- kill --kills 50` runs one part, with other numbers; the figures
 * of these are not kept.
 */
async function main([only, ...given]: string[]): Promise<void> {
  if (only !== undefined && !parts[only]) throw new Error(`One of: ${Object.keys(parts).join(', ')}`);
  const server = process.env.TEST_DATABASE_URL;
  for (const [name, { settings, run, alone }] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    if (!server && !alone) {
      console.log(name, 'left out: TEST_DATABASE_URL names no PostgreSQL server');
      continue;
    }
    const chosen = settingsFrom(given, settings);
    const result = await run({ ...chosen, program: BUILT } as never, server as string);
    console.log(name, chosen, result);
    if (isDeepStrictEqual(chosen, settings) && !process.env.SOAK_ONLY)
      await keepFigures(FIGURES, { [name]: { machine: machine(), settings: chosen, result } });
  }
}

function settingsFrom(args: string[], settings: Settings): Settings {
  const options = Object.fromEntries(
    Object.keys(settings).map((name) => [name, { type: 'string' as const }]),
  );
  const { values } = parseArgs({ args, options });
  const given = Object.entries(values).map(([name, value]) => [name, Number(value)]);
  return { ...settings, ...Object.fromEntries(given) };
}

await main(process.argv.slice(2));
process.exit(0);
