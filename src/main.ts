import pino, { type Logger } from 'pino';
import { seedDemo } from '../prisma/seed/demo.ts';
import { type Config, readConfig } from './config.ts';
import type { Database } from './db/database.ts';
import type { Storage } from './domain/context.ts';
import { purgeProjects } from './domain/project-purge.ts';
import { sweep } from './domain/sweep.ts';
import { listen } from './node-http.ts';
import { explain, openDatabase, openStorage } from './open.ts';
import { createApp } from './server.ts';

const say = (line: string) => console.log(line);

/** Sweeps now and then; a sweep that fails is logged, and the next one makes up for it. */
function keepSwept(db: Database, { store }: Storage, config: Config, log: Logger): NodeJS.Timeout {
  const once = async () => {
    const projects = await purgeProjects(db, config.limits.recycleBin);
    return { projects, ...(await sweep(db, store)) };
  };
  const run = () =>
    once().then(
      (swept) => log.debug(swept, 'swept'),
      (error) => log.error({ err: error }, 'the sweep failed'),
    );
  void run();
  return setInterval(run, config.sweepEvery);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel });
  const db = await openDatabase(config, say, (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  );
  const storage = await openStorage(config, db);
  if (db.kind === 'pglite') await seedDemo(db, storage, config, say);
  const server = await listen(createApp({ config, db, storage, log }), config);
  const sweeping = keepSwept(db, storage, config, log);
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

start().catch((error) => {
  console.error(explain(error));
  process.exit(1);
});
