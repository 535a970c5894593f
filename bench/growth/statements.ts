import pg from 'pg';
import type { Database, Reader } from '../../src/db/database.ts';
import { PLANNER_SETTINGS } from '../../src/db/planner-settings.ts';
import type { Sql } from '../../src/db/sql/sql.ts';
import { onServer } from '../data.ts';

interface Recorded {
  text: string;
  values: unknown[];
  milliseconds: number;
}

export interface Recorder {
  db: Database;
  /** The statements that `work` sends through the database's interface. */
  during: (work: () => Promise<unknown>) => Promise<Recorded[]>;
}

/** A database that can record its statements. */
export function recordingStatements(opened: Database): Recorder {
  let recorded: Recorded[] | undefined;
  const timed = async <Row>(reader: Reader, statement: Sql): Promise<Row[]> => {
    const begin = performance.now();
    const into = recorded;
    const rows = await reader.query<Row>(statement);
    into?.push({ ...statement.render(), milliseconds: performance.now() - begin });
    return rows;
  };
  const wrap = (db: Database): Database => ({
    ...db,
    query: (statement) => timed(db, statement),
    pipelined: { query: (statement) => timed(db.pipelined, statement) },
    transact: (work, limits) =>
      db.transact((session) => work({ ...session, query: (statement) => timed(session, statement) }), limits),
    forCaller: (cancellation, meter) => wrap(db.forCaller(cancellation, meter)),
  });
  return {
    db: wrap(opened),
    async during(work) {
      recorded = [];
      const statements = recorded;
      await work().finally(() => {
        recorded = undefined;
      });
      return statements;
    },
  };
}

/** A value as a literal of SQL; an array as the text of one. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Date) return literal(value.toISOString());
  if (value instanceof Uint8Array) return literal(`\\x${Buffer.from(value).toString('hex')}`);
  if (Array.isArray(value))
    return literal(
      `{${value.map((each) => (each === null ? 'NULL' : JSON.stringify(String(each)))).join(',')}}`,
    );
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const AS_THE_PRODUCT = `${Object.entries(PLANNER_SETTINGS)
  .map(([name, value]) => `SET ${name} = ${value}`)
  .join('; ')}; BEGIN`;

/**
 * The plan of a statement as the product has it, for whatever values, and what it did with these. Nothing stays written. What
 * cannot be repeated, such as an insert, has none.
 */
export async function planOf(url: string, { text, values }: Recorded): Promise<string> {
  const args = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
  let plan = '';
  await onServer(url, async (client) => {
    await client.query(AS_THE_PRODUCT);
    await client.query(`PREPARE growth AS ${text}`);
    const { rows } = await client.query<Record<string, string>>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) EXECUTE growth${args}`,
    );
    plan = rows.map((row) => Object.values(row)[0]).join('\n');
    await client.query('ROLLBACK');
  }).catch((error: Error) => {
    plan = `No plan: ${error.message}`;
  });
  return plan;
}
