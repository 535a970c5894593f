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

/** Milliseconds that a transaction may wait for its slot, and then take. */
const TIMEOUT = 10 * SECOND;

export interface PgliteOptions {
  /** A folder, whose lock the caller holds (lock.ts); undefined for a database in memory. */
  folder?: string;
  /** Whether commits are synced to disk before they are acknowledged (default); otherwise they survive only the process. */
  sync?: boolean;
  /** The dump of a prepared database to start from instead of an empty one. */
  loadDataDir?: Blob | File;
  keyVault?: Vault;
  onStatement?: StatementListener;
  /** Milliseconds between two runs of maintenance (maintenance.ts). */
  maintenanceInterval?: number;
  onError?: (error: Error) => void;
  /** Called when the database cannot continue. Must not return; by default it ends the process. */
  onBroken?: (reason: string) => void;
}

/** Opens the embedded database and brings its schema up to date. Throws DatabaseUnusable. */
export async function openPglite(options: PgliteOptions = {}): Promise<Database & { pglite: PGlite }> {
  const pglite = await open(options);
  await migrate(pglite);
  const prisma = createPrismaClient(new PrismaPGlite(withCommitErrors(pglite)), options.onStatement);
  const reader = pgliteReader(pglite, options.onStatement);
  const transact: Database['transact'] = (work) =>
    prisma.$transaction((client) => work(session(client)), { timeout: TIMEOUT, maxWait: TIMEOUT });
  const stop = startBackground(pglite, options);
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
    readByPrisma: (read) => read(prisma),
    forCaller: ({ tenant = '' }) => ({ ...database, ...fairOperations(tenant) }),
    async ping() {
      await pglite.query('select 1');
    },
    async close() {
      await stop.maintenance();
      await prisma.$disconnect();
      if (!pglite.closed) await pglite.close();
      await stop.watch?.();
    },
  };
  const fairOperations = scheduleByTenant(database);
  return database;
}

/**
 * Returns, for a tenant, the operations of the database in fair order with those of other tenants: there is one connection.
 * A cancellation has no effect, because no other connection could cancel what runs on it.
 */
function scheduleByTenant({ query, prisma, transact }: Database) {
  const readSlots = new FairSlots({ slots: 1, waiting: Number.POSITIVE_INFINITY, patience: TIMEOUT });
  const transactionSlots = new FairSlots({ slots: 1, waiting: 500, patience: TIMEOUT });
  return (tenant: string): Pick<Database, 'query' | 'pipelined' | 'readByPrisma' | 'transact'> => {
    const reader: Reader = { query: (statement) => readSlots.run(tenant, () => query(statement)) };
    return {
      ...reader,
      pipelined: reader,
      readByPrisma: (read) => readSlots.run(tenant, () => read(prisma)),
      transact: (work) => transactionSlots.run(tenant, () => transact(work)),
    };
  };
}

async function migrate(pglite: PGlite): Promise<void> {
  await applyMigrations(
    { query: (text, values) => pglite.query(text, values), exec: (text) => pglite.exec(text) },
    MIGRATIONS,
  );
  for (const [name, value] of Object.entries(PLANNER_SETTINGS)) await pglite.exec(`SET ${name} = ${value}`);
}

const pgliteReader = (pglite: PGlite, onStatement: StatementListener | undefined): Reader => ({
  async query(statement) {
    const { text, values } = statement.render();
    onStatement?.(text);
    const { fields, rows } = await inSpan('statement', { 'db.query.text': text }, () =>
      pglite.query<unknown[]>(text, values, { rowMode: 'array', parsers: { [INT8]: BigInt } }),
    );
    return toObjects(
      fields.map((field) => field.name),
      rows,
    );
  },
});

/** Starts maintenance and the watch of the folder; returns the functions that end them. */
function startBackground(pglite: PGlite, { folder, maintenanceInterval, onError }: PgliteOptions) {
  const interval = maintenanceInterval ?? MAINTENANCE_INTERVAL;
  return {
    maintenance: maintainEvery(interval, pglite, (error) => onError?.(error)),
    watch: folder ? watchFolder(folder) : undefined,
  };
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

/** Prisma takes JSON as text, and null for undefined. */
const forPrisma = (value: unknown): unknown =>
  typeof value === 'object' && value ? JSON.stringify(value) : (value ?? null);

/** One process uses the folder, so jobs that are active when it is opened were interrupted: they are retried. */
async function openJobs(pglite: PGlite): Promise<Jobs> {
  const execute: Execute = async (text, values) =>
    values?.length ? pglite.query(text, values) : ((await pglite.exec(text)).at(-1) ?? { rows: [] });
  await Jobs.install(execute);
  await pglite.exec(`UPDATE jobs.job SET state = 'retry' WHERE state = 'active'`);
  return Jobs.open(execute);
}

/** Throws DatabaseUnusable. */
async function open({ folder, ...options }: PgliteOptions): Promise<PGlite> {
  try {
    const pglite = await openIn(folder, options);
    await pglite.exec(`set timezone = 'UTC'`);
    return pglite;
  } catch (error) {
    // An uncaught error would print sixty kilobytes of PGlite's minified source.
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
  const onStderr = readLog((reason) => onBroken(`${name} cannot continue: ${reason}`));
  const options = { loadDataDir, extensions: { btree_gin, pg_trgm }, onStderr };
  if (!folder) return PGlite.create(options);
  if (!sync) return openUnsynced(folder, options);
  return SyncedPGlite.open(folder, options, ({ message }) =>
    onBroken(`${name} cannot be synced to the disk: ${message}`),
  );
}
