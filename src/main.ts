import type { Logger } from 'pino';
import { readConfig } from './config/config.ts';
import type { Database } from './db/database.ts';
import { selectOfEvent } from './graph/http/execute.ts';
import { listen } from './http/node-http.ts';
import { createApp } from './http/server.ts';
import { work } from './jobs/work.ts';
import { MINUTE, SECOND } from './lib/time.ts';
import { explain, openDatabase, openPersisted, openRecognition, openRedis, openStorage } from './open.ts';
import { endWithin, onStopSignal } from './stop.ts';
import { newLifecycle } from './telemetry/lifecycle.ts';
import { openLog } from './telemetry/log.ts';
import { measureProcess, openMetrics } from './telemetry/metrics.ts';

/** Milliseconds after STOP_DELAY when a process that is to stop exits, whatever is under way … */
const STOP_AT_LAST = 8.5 * SECOND;
/** … and when it is killed, where its thread is stuck. */
const KILL_AT_LAST = 9.5 * SECOND;

const say = (line: string) => console.log(line);

/** Asks for some work now and then; of several processes that ask at about the same time, one does it. */
function keepAsking({ jobs }: Database, queue: 'sweep' | 'text' | 'recognize', every: number, log: Logger) {
  const ask = () =>
    jobs
      .send({ queue, data: {} }, { every })
      .catch((error) => log.error({ err: error, queue }, 'no work was asked for'));
  void ask();
  return setInterval(ask, every);
}

/** Until the server is ready there is nothing to finish: the databases survive the end of a process at any moment. */
let stop = (): void => process.exit(0);

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  const persisted = await openPersisted(config);
  const stopping = new AbortController();
  const recognition = openRecognition(config, stopping.signal);
  const db = await openDatabase(config, say, (error) =>
    log.warn({ err: error }, 'the database failed beside what was asked'),
  );
  const storage = await openStorage(config, db);
  await storage.sealer();
  if (db.kind === 'pglite') {
    const { seedDemo } = await import('../prisma/seed/demo.ts');
    await seedDemo(db, storage, config, say);
  }
  const { countTries, close: leaveRedis } = await openRedis(config, log);
  const lifecycle = newLifecycle();
  const metrics = openMetrics({ db, lifecycle });
  measureProcess(metrics);
  const parts = { lifecycle, metrics, countTries, persisted, stopping: stopping.signal };
  const { port, host, limits } = config;
  const app = createApp({ config, db, storage, log, ...parts });
  const server = await listen(app, { port, host, stalled: 2 * MINUTE + limits.request });
  const webhooks = { select: selectOfEvent, allowPrivate: config.webhookAllowPrivate };
  const working = work({ db, storage, limits: config.limits, log, webhooks, recognition });
  const asking = [
    keepAsking(db, 'sweep', config.sweepEvery, log),
    keepAsking(db, 'text', 30 * SECOND, log),
    keepAsking(db, 'recognize', 30 * SECOND, log),
  ];
  say(`Docgraph is ready: ${config.publicUrl}/graphql`);

  const close = async () => {
    await new Promise((resolve) => setTimeout(resolve, config.stopDelay));
    stopping.abort();
    await Promise.all([server.close(() => lifecycle.underWay), working.stop()]);
    await leaveRedis?.();
    await db.close();
    log.flush();
    process.exit(0);
  };
  stop = () => {
    lifecycle.stopping = true;
    for (const each of asking) clearInterval(each);
    endWithin(config.stopDelay + KILL_AT_LAST);
    setTimeout(() => process.exit(1), config.stopDelay + STOP_AT_LAST).unref();
    close().catch(fail);
  };
}

onStopSignal(() => stop());
start().catch(fail);

function fail(error: unknown): void {
  console.error(explain(error));
  process.exit(1);
}
