import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { Cancellation } from '../lib/cancellation.ts';
import type { Vault } from '../lib/seal.ts';
import type { Notifications } from './notifications.ts';
import type { Sql } from './sql/sql.ts';
import type { Work, WorkSignal } from './work.ts';

/** Runs statements: the database itself, or a transaction. */
export interface Reader {
  /** Rows with camelCase members: bigint for int8, Date for timestamptz, Uint8Array for bytea. */
  query<Row>(statement: Sql): Promise<Row[]>;
}

export interface Database extends Reader {
  readonly kind: 'pglite' | 'postgres';
  /**
   * For short reads, which may share a connection with others and wait for them. Rows may decode each value when it is
   * read, and have no own properties: they cannot be spread.
   */
  readonly pipelined: Reader;
  readonly prisma: PrismaClient;
  /** Seals the installation's signing keys with the operator's key, if one is configured. */
  readonly keyVault?: Vault;
  readonly work: WorkSignal;
  /** Runs a read of Prisma's client within the caller's share of connections. Throws UNAVAILABLE when it gets none in time. */
  readByPrisma<Result>(read: (client: PrismaClient) => Promise<Result>): Promise<Result>;
  /** Runs `work` in a transaction and commits it. Commands use inTransaction, which also retries. */
  transact<Result>(work: (session: Session) => Promise<Result>, limits?: TransactionLimits): Promise<Result>;
  /** Runs at the start of each transaction, for what must commit together with all changes of a request. */
  readonly onBegin?: (tx: Transaction) => Promise<unknown>;
  /**
   * The same database for one caller: when it is cancelled, its statements are cancelled too. `meter` counts the rows that it
   * reads outside transactions.
   */
  forCaller(cancellation: Cancellation, meter?: RowMeter): Database;
  /** Number of connections, and of callers that wait for one; undefined for the embedded database. */
  readonly connections?: () => { total: number; idle: number; waiting: number };
  /** Of new events and file texts, sent after commits. */
  readonly notifications: Notifications;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** For work of administrators; commands of requests have the limits of the database. */
export interface TransactionLimits {
  /** Milliseconds that the transaction may take. */
  timeout?: number;
}

/** Prisma's operations on the tables, without its raw SQL, for which there is `query`. */
export type Models = Omit<Prisma.TransactionClient, `$${string}`>;

/** The statements of one transaction, by both ways to send them. */
export interface Session extends Reader {
  readonly prisma: Models;
  /**
   * Runs a statement whose rows nobody needs: it is sent with what is sent next, or with the commit, which saves a round trip.
   * Resolves before. If it fails, the transaction does.
   */
  defer(statement: Sql): Promise<void>;
}

export interface Transaction extends Session {
  /** Reports that rows became due for this work: this process looks at once after the commit, others when they poll. */
  wake(work: Work): void;
  /** Notifies subscribers of this organization's events after the commit. */
  announce(organizationId: string): void;
}

/**
 * Called with the bytes of rows as they arrive. Where it throws, the rows of the statement are dropped and the statement fails
 * with that error.
 */
export type RowMeter = (bytes: number) => void;

/** Called with the text of each statement that is sent; tests count statements with it. */
export type StatementListener = (text: string) => void;

/** The database cannot be used; the message is one line for the operator. */
export class DatabaseUnusable extends Error {}
