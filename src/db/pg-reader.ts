import pg from 'pg';
import type { Prisma } from '../generated/prisma/client.ts';
import { inSpan } from '../lib/span.ts';
import type { Reader, StatementListener } from './database.ts';
import { sendAll } from './pg-series.ts';
import { type Asked, Statement } from './pg-statement.ts';
import { oneWrittenOut, StatementNames } from './prepared.ts';
import type { Row } from './row-shape.ts';

/** Takes statements to the server; each has its answer then. */
type Send = (statements: readonly Statement[]) => void;

/** Asks a server, on whatever connection: all of them know the same statements by the same names. */
export class PgReader {
  readonly #enums: ReadonlySet<number>;
  readonly #names = new StatementNames();
  readonly #onStatement: StatementListener | undefined;

  /** `enums`: the ids of the enum types. */
  constructor(enums: ReadonlySet<number>, onStatement: StatementListener | undefined) {
    this.#enums = enums;
    this.#onStatement = onStatement;
  }

  /** On connections of the pool; what still runs when the signal comes is ended. */
  onPool(pool: pg.Pool, signal?: AbortSignal): Reader & { lazily: Reader } {
    const send = sending(pool, signal);
    return {
      ...this.#reader(send, { lazily: false, again: true }),
      lazily: this.#reader(together(send), { lazily: true, again: true }),
    };
  }

  /** In a transaction, which a statement that fails takes with it. */
  within(send: Send): Reader {
    return this.#reader(send, { lazily: false, again: false });
  }

  #reader(send: Send, { lazily, again }: { lazily: boolean; again: boolean }): Reader {
    const ask = (asked: Asked): Promise<Row[]> => {
      const statement = new Statement(asked);
      send([statement]);
      return statement.answer;
    };
    const answer = (asked: Asked): Promise<Row[]> =>
      ask(asked).catch((error) => {
        if (!asked.name || !this.#names.failed(error) || !again) throw error;
        return ask({ ...asked, name: undefined });
      });
    return {
      query: async <Row>(statement: Prisma.Sql) => {
        this.#onStatement?.(statement.text);
        const { text, values } = oneWrittenOut(statement.text, statement.values);
        const asked = { text, values, name: this.#names.of(text), enums: this.#enums, lazily };
        return (await inSpan('statement', { 'db.query.text': text }, () => answer(asked))) as Row[];
      },
    };
  }
}

/** What is asked in one go leaves in one go: a write, and a connection, cost more than most statements. */
function together(send: Send): Send {
  let waiting: Statement[] = [];
  const leave = () => {
    const all = waiting;
    waiting = [];
    send(all);
  };
  return (statements) => {
    if (waiting.length === 0) process.nextTick(leave);
    waiting.push(...statements);
  };
}

/**
 * Sends statements on a connection of the pool, and has the server end them once the signal says so. Then, and when the
 * server did not end one itself, the connection is given up: what comes late must not meet the statement of somebody else.
 */
function sending(pool: pg.Pool, signal?: AbortSignal): Send {
  const running = new Set<Backend>();
  const cancel = ({ processID }: Backend) =>
    void pool.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => {});
  signal?.addEventListener('abort', () => running.forEach(cancel), { once: true });
  const run = async (statements: readonly Statement[]) => {
    signal?.throwIfAborted();
    const client = await pool.connect();
    const backend = client as unknown as Backend;
    let usable = true;
    try {
      // Whoever gave up while they waited has asked nothing yet: the connection is as good as it was.
      signal?.throwIfAborted();
      usable = false;
      running.add(backend);
      await sendAll(client, statements);
      usable = true;
    } catch (error) {
      usable ||= isRefusal(error);
      throw error;
    } finally {
      client.release(!usable || (running.delete(backend) && signal?.aborted));
    }
  };
  const send: Send = (statements) =>
    void run(statements).catch((error) => {
      const open = statements.filter(({ answered }) => !answered);
      // Those behind one that was refused have not been run.
      if (open.length < statements.length && isRefusal(error)) send(open);
      else for (const each of open) each.fail(error);
    });
  return send;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR';

interface Backend {
  processID: number;
}
