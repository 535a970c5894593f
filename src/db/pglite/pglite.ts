import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Prisma } from '../../generated/prisma/client.ts';
import { endProcess } from '../../lib/end-process.ts';
import { FairSlots } from '../../lib/fair-slots.ts';
import type { Vault } from '../../lib/seal.ts';
import { inSpan } from '../../lib/span.ts';
import { SECOND } from '../../lib/time.ts';
import {
  type Database,
  DatabaseUnusable,
  type Reader,
  type Session,
  type StatementListener,
} from '../database.ts';
import { type Execute, Jobs } from '../jobs.ts';
import { applyMigrations, MIGRATIONS } from '../migrate/migrate.ts';
import { Notifications } from '../notifications.ts';
import { PLANNER_SETTINGS } from '../planner-settings.ts';
import { createPrismaClient } from '../prisma-client.ts';
import { camelCase, toObjects } from '../sql/rows.ts';
import type { Sql } from '../sql/sql.ts';
import { withCommitErrors } from './commit-errors.ts';
import { watchFolder } from './folder-watch.ts';
import { MAINTENANCE_INTERVAL, maintainEvery } from './maintenance.ts';
import { readLog } from './panic.ts';
import { openUnsynced, SyncedPGlite } from './synced-pglite.ts';

const INT8 = 20;

/** Milliseconds that a transaction may wait for its turn, and then take. */
const TIMEOUT = 10 * SECOND;

export interface PgliteOptions {
  /** A folder, whose lock the caller holds (lock.ts), or nothing for a database in memory. */
  folder?: string;
  /** Whether changes are on disk before they are acknowledged (default), or survive only the death of the process. */
  sync?: boolean;
  /** The dump of a prepared database to start from instead of an empty one. */
  loadDataDir?: Blob | File;
  keyVault?: Vault;
  onStatement?: StatementListener;
  /** Milliseconds between two times that it is kept up (upkeep.ts). */
  upkeepEvery?: number;
  onError?: (error: Error) => void;
  /** The database cannot go on. Must not return; by default it ends the process. */
  onBroken?: (reason: string) => void;
}

/** Opens the embedded database and brings its schema up to date. Throws DatabaseUnusable. */
export async function openPglite(options: PgliteOptions = {}): Promise<Database & { pglite: PGlite }> {
  const pglite = await open(options);
  await applyMigrations(
    { query: (text, values) => pglite.query(text, values), exec: (text) => pglite.exec(text) },
    MIGRATIONS,
  );
  for (const [name, value] of Object.entries(PLANNER_SETTINGS)) await pglite.exec(`SET ${name} = ${value}`);
  const prisma = createPrismaClient(new PrismaPGlite(withCommitErrors(pglite)), options.onStatement);
  const reader: Reader = {
    async query(statement) {
      const { text, values } = statement.render();
      options.onStatement?.(text);
      const { fields, rows } = await inSpan('statement', { 'db.query.text': text }, () =>
        pglite.query<unknown[]>(text, values, {
          rowMode: 'array',
          parsers: { [INT8]: BigInt },
        }),
      );
      return toObjects(
        fields.map((field) => field.name),
        rows,
      );
    },
  };
  const endWatch = options.folder ? watchFolder(options.folder) : undefined;
  const turns = new FairSlots({ slots: 1, waiting: Number.POSITIVE_INFINITY, patience: TIMEOUT });
  const transactions = new FairSlots({ slots: 1, waiting: 500, patience: TIMEOUT });
  const transact: Database['transact'] = (work) =>
    prisma.$transaction((client) => work(session(client)), { timeout: TIMEOUT, maxWait: TIMEOUT });
  const endUpkeep = maintainEvery(options.upkeepEvery ?? MAINTENANCE_INTERVAL, pglite, (error) =>
    options.onError?.(error),
  );
  const database: Database & { pglite: PGlite } = {
    ...reader,
    kind: 'pglite',
    pipelined: reader,
    pglite,
    prisma,
    keyVault: options.keyVault,
    jobs: await openJobs(pglite),
    notifications: new Notifications(),
    transact,
    // There is one connection, and nothing beside it that could end what it does; tenants take turns on it.
    forCaller({ tenant }) {
      const fair: Reader = { query: (statement) => turns.run(tenant ?? '', () => reader.query(statement)) };
      return {
        ...database,
        ...fair,
        pipelined: fair,
        transact: (work) => transactions.run(tenant ?? '', () => transact(work)),
      };
    },
    async ping() {
      await pglite.query('select 1');
    },
    async close() {
      await endUpkeep();
      await prisma.$disconnect();
      if (!pglite.closed) await pglite.close();
      await endWatch?.();
    },
  };
  return database;
}

const session = (client: Prisma.TransactionClient): Session => ({
  prisma: client,
  async query<Row>(statement: Sql) {
    const { text, values } = statement.render();
    const rows = await client.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values);
    return rows.map(
      (row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value])) as Row,
    );
  },
  execute: async (text, values) => ({ rows: await client.$queryRawUnsafe(text, ...values.map(forPrisma)) }),
});

/** It wants JSON as text, and null for what is not there. */
const forPrisma = (value: unknown): unknown =>
  typeof value === 'object' && value ? JSON.stringify(value) : (value ?? null);

/** The folder has one user, so jobs that are under way when it opens died with the last one. */
async function openJobs(pglite: PGlite): Promise<Jobs> {
  const execute: Execute = async (text, values) =>
    values?.length ? pglite.query(text, values) : ((await pglite.exec(text)).at(-1) ?? { rows: [] });
  await Jobs.install(execute);
  await pglite.exec(`UPDATE jobs.job SET state = 'retry' WHERE state = 'active'`);
  return Jobs.open(execute);
}

async function open({ folder, ...options }: PgliteOptions): Promise<PGlite> {
  try {
    const pglite = await openIn(folder, options);
    await pglite.exec(`set timezone = 'UTC'`);
    return pglite;
  } catch (error) {
    // Uncaught, PGlite prints sixty kilobytes of minified source.
    throw new DatabaseUnusable(
      `The embedded database in ${folder ?? 'memory'} cannot be opened: ${(error as Error).message}`,
    );
  }
}

function openIn(
  folder: string | undefined,
  { loadDataDir, sync = true, onBroken = endProcess }: PgliteOptions,
): Promise<PGlite> {
  const name = `The embedded database in ${folder ?? 'memory'}`;
  const onStderr = readLog((reason) => onBroken(`${name} cannot go on: ${reason}`));
  const options = { loadDataDir, extensions: { btree_gin, pg_trgm }, onStderr };
  if (!folder) return PGlite.create(options);
  if (!sync) return openUnsynced(folder, options);
  return SyncedPGlite.open(folder, options, ({ message }) =>
    onBroken(`${name} cannot be synced to the disk: ${message}`),
  );
}
