import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Context, Past } from '../kernel/context.ts';
import { historyUnavailable } from '../kernel/errors.ts';
import { pastTables } from './past-tables.ts';

/**
 * The same context at a moment of the past: its statements read projects, folders, documents and fields as they were then, as far
 * as the viewer sees them today. All other tables are as they are. Nothing can be changed there.
 */
export function pastContext<Ctx extends Context>(ctx: Ctx, past: Past): Ctx {
  const before = pastTables(ctx.viewer, past);
  const reading = (reader: Reader): Reader => ({
    query: (statement) => reader.query(sql`${before}(${statement})`),
  });
  const db: Database = {
    ...ctx.db,
    ...reading(ctx.db),
    pipelined: reading(ctx.db.pipelined),
    prisma: PRESENT_ONLY,
    readByPrisma: () => Promise.reject(presentOnly()),
    transact: () => Promise.reject(presentOnly()),
  };
  return { ...ctx, db, past, viewer: { ...ctx.viewer, inPast: true } };
}

/** Fails at its use: a context is copied with it. */
const PRESENT_ONLY = new Proxy({} as Database['prisma'], {
  get() {
    throw presentOnly();
  },
});

const presentOnly = () => historyUnavailable('This is recorded for the present only.');
