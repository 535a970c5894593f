import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { freePort, type ServerProcess } from '../../support/servers/processes.ts';
import { sleep } from '../calls.ts';
import { newSite, type Site } from '../site.ts';
import { countOpen, type MailRow, makeDue, queueMany, readMails } from './queue.ts';
import { CountingServer } from './server.ts';

export interface Mailing {
  mails: number;
  processes: number;
  kills: number;
  /** Seconds for which the mail server is down in the middle. */
  down: number;
  /** Mails that a process hands over within a second at most, so that the kills fall within the run. */
  pace: number;
  /** After which it comes to its end, whatever it has reached. */
  minutes: number;
  program?: string[];
}

/** Hands over many mails with several processes, of which one after the other is killed (kill -9), while the mail server is down for a while. */
export async function mailThroughKills(settings: Mailing, database: string) {
  const site = await newSite(database);
  const server = new CountingServer(await freePort());
  await server.start();
  const db = await openPostgres({ url: site.databaseUrl as string, pool: 2, statementTimeout: 30_000 });
  const running: ServerProcess[] = [];
  const begin = performance.now();
  const end = begin + settings.minutes * 60_000;
  try {
    await queueMany(db, site.organizationId, settings.mails);
    const serve = (pace: number) => serveMail(site, server, pace, settings.program);
    for (let index = 0; index < settings.processes; index++) running.push(await serve(settings.pace));
    const outage = takeDown(server, settings, () => countOpen(db), end);
    const killed = await killInTurn(running, () => serve(settings.pace), settings.kills, end);
    await outage;
    await drain(running, () => serve(0), db, settings.processes, end);
    return {
      kills: killed,
      seconds: Math.round((performance.now() - begin) / 1_000),
      ...compare(await readMails(db), server.arrived),
    };
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    await db.close();
    await server.stop();
    await site.remove();
  }
}

const serveMail = async (site: Site, server: CountingServer, pace: number, program?: string[]) =>
  site.serve(
    await freePort(),
    {
      ...{ SMTP_URL: `smtp://127.0.0.1:${server.port}`, SMTP_TLS: 'off', MAIL_FROM: 'docs@docgraph.test' },
      ...{ PUBLIC_URL: 'http://docgraph.test', STOP_DELAY_SECONDS: '0', LOG_LEVEL: 'silent' },
      ...{ MAIL_PER_HOUR_ADDRESS: '0', MAIL_PER_HOUR_ORGANIZATION: '0', MAIL_PER_SECOND: String(pace) },
    },
    program,
  );

/** Stops the mail server when half of the mails are left, for some seconds. */
async function takeDown(
  server: CountingServer,
  { mails, down }: Mailing,
  open: () => Promise<number>,
  end: number,
): Promise<void> {
  while ((await open()) > mails / 2 && performance.now() < end) await sleep(200);
  await server.stop();
  await sleep(down * 1_000);
  await server.start();
}

/** Kills one process after the other, and replaces each. Returns how many. */
async function killInTurn(
  running: ServerProcess[],
  serve: () => Promise<ServerProcess>,
  kills: number,
  end: number,
): Promise<number> {
  let killed = 0;
  while (killed < kills && performance.now() < end) {
    await sleep(Math.random() * 1_500);
    const [victim] = running.splice(Math.floor(Math.random() * running.length), 1);
    await victim?.end('SIGKILL');
    killed++;
    running.push(await serve());
  }
  return killed;
}

/** Until no mail is left: all processes stop, waiting times pass, and new processes hand over what is due. */
async function drain(
  running: ServerProcess[],
  serve: () => Promise<ServerProcess>,
  db: Parameters<typeof countOpen>[0],
  processes: number,
  end: number,
): Promise<void> {
  while ((await countOpen(db)) > 0 && performance.now() < end) {
    await Promise.all(running.splice(0).map((each) => each.stop()));
    await makeDue(db);
    for (let index = 0; index < processes; index++) running.push(await serve());
    for (let quiet = 0, before = -1; quiet < 10 && performance.now() < end; ) {
      await sleep(1_000);
      const open = await countOpen(db);
      if (open === 0) return;
      quiet = open === before ? quiet + 1 : 0;
      before = open;
    }
  }
}

/** What the rows say, and what arrived. */
function compare(rows: readonly MailRow[], arrived: ReadonlyMap<string, number>) {
  const times = ({ id }: MailRow) => arrived.get(id) ?? 0;
  const count = (condition: (row: MailRow) => boolean) => rows.filter(condition).length;
  const states: Record<string, number> = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  const ids = new Set(rows.map(({ id }) => id));
  return {
    states,
    /** Neither arrived nor listed as uncertain. */
    lost: count((row) => times(row) === 0 && !row.isUncertain),
    /** Sent as the row says, and not arrived. */
    sentInVain: count((row) => row.state === 'SENT' && times(row) === 0),
    /** Arrived more than once, and not listed as uncertain. */
    twice: count((row) => times(row) > 1 && !row.isUncertain),
    /** Arrived more than once, of a kind that is never sent again. */
    twiceOfOnce: count((row) => times(row) > 1 && row.kind === 'PASSWORD_CHANGED'),
    uncertain: count((row) => row.isUncertain),
    uncertainTwice: count((row) => times(row) > 1 && row.isUncertain),
    uncertainNotArrived: count((row) => times(row) === 0 && row.isUncertain),
    unknown: [...arrived.keys()].filter((id) => !ids.has(id)).length,
  };
}
