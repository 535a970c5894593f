import pino, { type Logger } from 'pino';
import { seedDemo } from '../prisma/seed/demo.ts';
import { triesInRedis } from './auth/tries-in-redis.ts';
import { readConfig } from './config.ts';
import type { Database } from './db/database.ts';
import { askForOverdue } from './domain/sealing-overdue.ts';
import { work } from './jobs/work.ts';
import { SECOND } from './lib/time.ts';
import { listen } from './node-http.ts';
import { explain, openDatabase, openPersisted, openStorage } from './open.ts';
import { createApp } from './server.ts';

const say = (line: string) => console.log(line);

/** Asks for some work now and then; of several processes that ask at about the same time, one does it. */
function keepAsking({ jobs }: Database, queue: 'sweep' | 'text', every: number, log: Logger): NodeJS.Timeout {
  const ask = () =>
    jobs
      .send({ queue, data: {} }, { every })
      .catch((error) => log.error({ err: error, queue }, 'no work was asked for'));
  void ask();
  return setInterval(ask, every);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel });
  const persisted = await openPersisted(config);
  const db = await openDatabase(config, say, (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  );
  const storage = await openStorage(config, db);
  await storage.sealer();
  if (db.kind === 'pglite') await seedDemo(db, storage, config, say);
  const { countTries, close: leaveRedis } = config.redisUrl
    ? triesInRedis({ url: config.redisUrl, prefix: config.redisPrefix, say: (line) => log.warn(line) })
    : {};
  const server = await listen(createApp({ config, db, storage, log, countTries, persisted }), config);
  await askForOverdue(db);
  const working = work({ db, storage, limits: config.limits, log });
  const asking = [keepAsking(db, 'sweep', config.sweepEvery, log), keepAsking(db, 'text', 30 * SECOND, log)];
  say(`Docgraph is ready: ${config.publicUrl}/graphql`);

  const stop = async () => {
    for (const each of asking) clearInterval(each);
    await server.close();
    await working.stop();
    await leaveRedis?.();
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
