import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { Cancellation } from '../lib/cancellation.ts';
import type { Vault } from '../lib/seal.ts';
import type { Execute, Job, Jobs, RowWork } from './jobs.ts';
import type { Notifications } from './notifications.ts';
import type { Sql } from './sql/sql.ts';

/** What can answer a read: the database itself, or a transaction. */
export interface Reader {
  /** Rows with the names of the model: bigint for int8, Date for timestamptz, Uint8Array for bytea. */
  query<Row>(statement: Sql): Promise<Row[]>;
}

export interface Database extends Reader {
  readonly kind: 'pglite' | 'postgres';
  /**
   * For reads that answer soon, which may share a connection with those of others and wait for them. Their rows may read
   * each value when it is asked for, and have no members of their own: they cannot be spread.
   */
  readonly pipelined: Reader;
  readonly prisma: PrismaClient;
  /** Seals the keys of the installation with the operator's, where there is one. */
  readonly keyVault?: Vault;
  readonly jobs: Jobs;
  /** Runs `work` in a transaction of its own, which is committed then; inTransaction is what commands use. */
  transact<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Done first in each transaction: what must be true together with all that a request changes. */
  readonly onBegin?: (tx: Transaction) => Promise<unknown>;
  /** The same for one caller: once they leave, what still runs for them is ended. */
  forCaller(departure: Cancellation): Database;
  /** How many connections there are, and how many wait for one; an embedded database has none. */
  readonly connections?: () => { total: number; idle: number; waiting: number };
  readonly notifications: Notifications;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Prisma's operations on the tables; statements in SQL go to `query`. */
export type Models = Omit<Prisma.TransactionClient, `$${string}`>;

/** What a transaction asks. */
export interface Session extends Reader {
  readonly prisma: Models;
  execute: Execute;
}

export interface Transaction extends Reader {
  readonly prisma: Models;
  /** Work for after the commit; there is none if it does not come to that. */
  enqueue(job: Job): Promise<void>;
  /** Rows became due for this work: whoever does it in this process looks after the commit, others soon. */
  wake(work: RowWork): void;
  /** The organization got new events: told to whoever follows them, after the commit. */
  announce(organizationId: string): void;
}

/** Told the text of each statement as it is sent: how tests count what a request costs. */
export type StatementListener = (text: string) => void;

/** The database cannot be used, said in one line for the person who starts the server. */
export class DatabaseUnusable extends Error {}
