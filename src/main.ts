import pino, { type Logger } from 'pino';
import { seedDemo } from '../prisma/seed/demo.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Database, DatabaseUnusable } from './db/database.ts';
import { lockFolder } from './db/lock.ts';
import { openPglite } from './db/pglite.ts';
import { openPostgres } from './db/postgres.ts';
import type { Storage } from './domain/context.ts';
import { addressSecrets } from './domain/signing-key.ts';
import { sweep } from './domain/sweep.ts';
import { listen } from './node-http.ts';
import { createApp } from './server.ts';
import { diskStore } from './storage/disk.ts';
import { signedAddresses } from './storage/signed-address.ts';

const say = (line: string) => console.log(line);

async function open(config: Config, onError: (error: Error) => void): Promise<Database> {
  if (config.databaseUrl) {
    say(`Opening PostgreSQL at ${new URL(config.databaseUrl).host} …`);
    return openPostgres({
      url: config.databaseUrl,
      pool: config.databasePool,
      statementTimeout: config.limits.request,
      onError,
    });
  }
  say(`Opening the embedded database in ${config.dataDir} …`);
  await lockFolder(config.dataDir);
  return openPglite({ folder: `${config.dataDir}/pg` });
}

async function openStorage({ dataDir, publicUrl }: Config, db: Database): Promise<Storage> {
  return {
    store: await diskStore(`${dataDir}/files`),
    addresses: signedAddresses(await addressSecrets(db), publicUrl),
  };
}

/** Sweeps now and then; a sweep that fails is logged, and the next one makes up for it. */
function keepSwept(db: Database, { store }: Storage, every: number, log: Logger): NodeJS.Timeout {
  const run = () =>
    sweep(db, store).then(
      (swept) => log.debug(swept, 'swept'),
      (error) => log.error({ err: error }, 'the sweep failed'),
    );
  void run();
  return setInterval(run, every);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel });
  const db = await open(config, (error) => log.warn({ err: error }, 'a database connection broke'));
  const storage = await openStorage(config, db);
  if (db.kind === 'pglite') await seedDemo(db, storage, config, say);
  const server = await listen(createApp({ config, db, storage, log }), config);
  const sweeping = keepSwept(db, storage, config.sweepEvery, log);
  say(`Docgraph is ready: ${config.publicUrl}/graphql`);

  const stop = async () => {
    clearInterval(sweeping);
    await server.close();
    await db.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** One readable line for what a person can put right; anything else is a fault of ours, and shown whole. */
function explain(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof DatabaseUnusable) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: stop what listens there, or set PORT to another number.`;
  if (code === 'EACCES' && port)
    return `Port ${port} is not allowed for this user: set PORT to a number above 1023.`;
  return error;
}

start().catch((error) => {
  console.error(explain(error));
  process.exit(1);
});
