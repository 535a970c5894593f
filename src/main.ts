import type { Logger } from 'pino';
import type { DemoSignIn } from '../prisma/seed/demo.ts';
import { viewerOfCredential } from './auth/viewer-of-credential.ts';
import { type Config, misspeltVariables, readConfig } from './config/config.ts';
import type { Database } from './db/database.ts';
import type { Storage } from './domain/kernel/context.ts';
import { requireOwnStore } from './domain/maintenance/store-owner.ts';
import { requireBulkMutation, runBulkLine } from './graph/http/bulk-line.ts';
import { selectOfEvent } from './graph/http/execute.ts';
import { listen } from './http/listen.ts';
import { createApp } from './http/server.ts';
import { UsageRecorder } from './http/usage/usage-recorder.ts';
import { work } from './jobs/work.ts';
import { MINUTE } from './lib/time.ts';
import { openDatabase } from './startup/database.ts';
import { explain } from './startup/explain.ts';
import { requireFreePort } from './startup/free-port.ts';
import { logOffice, officeState } from './startup/office.ts';
import { openRateLimiters, openServices, readPersistedOperations } from './startup/options.ts';
import { warnOfForeignPasskeys } from './startup/passkey-warning.ts';
import { releaseMemory } from './startup/release-memory.ts';
import { limitStopTime, onStopSignal } from './startup/stop.ts';
import { openStorage } from './startup/storage.ts';
import { welcome } from './startup/welcome.ts';
import { newLifecycle } from './telemetry/lifecycle.ts';
import { openLog } from './telemetry/log.ts';
import { measureProcess, openMetrics } from './telemetry/metrics.ts';

const print = (line: string) => console.log(line);

/** Until the server is ready, the process may exit at once: the databases survive that at any moment. */
let stop = (): void => process.exit(0);

async function start(): Promise<void> {
  const config = readConfig(process.env);
  for (const line of misspeltVariables(process.env)) print(line);
  await requireFreePort(config);
  const log = openLog(config.logLevel);
  const persisted = await readPersistedOperations(config);
  const stopping = new AbortController();
  const services = await openServices(config, stopping.signal);
  const { db, storage, signIn } = await openData(config, log, services.office?.description);
  void logOffice(log, services);
  const { newRateLimiter, close: closeRateLimiters } = await openRateLimiters(config, log);
  const lifecycle = newLifecycle();
  const metrics = openMetrics({ db, lifecycle });
  measureProcess(metrics);
  const usage = new UsageRecorder(db, log);
  usage.start();
  const { timeStampRoots } = services;
  const parts = { 'office files to PDF': () => officeState(services) };
  const shared = { lifecycle, metrics, usage, newRateLimiter, persisted, timeStampRoots, parts };
  const app = createApp({ config, db, storage, log, ...shared, stopping: stopping.signal });
  const { port, host, limits, trustProxy, keepAlive, sweepEvery } = config;
  const idleTimeout = 2 * MINUTE + limits.request;
  const connections = { idleTimeout, keepAlive, limits, trustProxy };
  const server = await listen(app, { port, host, ...connections, lifecycle });
  const webhooks = { select: selectOfEvent, allowPrivate: config.webhookAllowPrivate };
  const bulk = { viewerOf: viewerOfCredential, requireMutation: requireBulkMutation, runLine: runBulkLine };
  const jobs = { sweepEvery, webhooks, bulk, countMail: metrics.mail, ...services };
  const worker = work({ db, storage, limits, log, stopping: stopping.signal, ...jobs });
  for (const line of welcome(config.publicUrl, signIn)) print(line);
  releaseMemory(lifecycle);
  warnOfForeignPasskeys(db, config.publicUrl, log).catch((err) =>
    log.warn({ err }, 'passkeys were not checked'),
  );

  stop = () => {
    lifecycle.stopping = true;
    limitStopTime(config.stopDelay);
    const drain = async () => {
      await Promise.all([server.close(() => lifecycle.underWay), worker.stop()]);
      await Promise.all([usage.close(), closeRateLimiters?.()]);
    };
    close({ config, db, log, stopping, drain }).catch(fail);
  };
}

interface Data {
  db: Database;
  storage: Storage;
  /** Of the demo workspace, if there is one. */
  signIn?: DemoSignIn;
}

/** The database and the file store. An empty embedded database gets the demo workspace. */
async function openData(config: Config, log: Logger, office?: string): Promise<Data> {
  const onError = (error: Error) => log.warn({ err: error }, 'the database failed outside of a statement');
  const db = await openDatabase(config, print, onError);
  const storage = { ...(await openStorage(config, db)), office };
  await requireOwnStore(db, storage.store);
  await storage.sealer();
  if (db.kind === 'pglite') {
    const { seedDemo } = await import('../prisma/seed/demo.ts');
    return { db, storage, signIn: await seedDemo(db, storage, config, print) };
  }
  return { db, storage };
}

interface Closing {
  config: Config;
  db: Database;
  log: Logger;
  stopping: AbortController;
  /** Finishes running requests and jobs. */
  drain: () => Promise<void>;
}

/** Serves for `stopDelay` ms more, while load balancers notice that the process is not ready, then drains and exits. */
async function close({ config, db, log, stopping, drain }: Closing): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, config.stopDelay));
  stopping.abort();
  await drain();
  await db.close();
  log.flush();
  process.exit(0);
}

onStopSignal(() => stop());
start().catch(fail);

function fail(error: unknown): void {
  console.error(explain(error));
  process.exit(1);
}
