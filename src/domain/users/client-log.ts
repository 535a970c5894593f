import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ClientLog as ClientLogRow } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import type { Context } from '../kernel/context.ts';
import { parse, text } from '../kernel/input.ts';

/** A line that a client reported about itself; nothing in it is verified. */
export type ClientLog = ClientLogRow;

/** How many lines of a person are stored. */
const MAX_LINES = 100;

const line = z.strictObject({
  header: text(200).nullish(),
  values: z.array(text(2_000)).min(1).max(3),
});

/** The newest lines of the viewer's clients. */
export const findClientLogs = ({ db, viewer }: Context): Promise<ClientLog[]> =>
  db.query<ClientLog>(
    sql`SELECT * FROM client_logs WHERE user_id = ${viewer.userId} ORDER BY id DESC LIMIT ${MAX_LINES}`,
  );

/** Stores a line and removes those above the limit. Records no event: nobody else sees it. */
export function createClientLog(ctx: Context, input: z.input<typeof line>): Promise<ClientLog> {
  const { header, values } = parse(line, input);
  const { userId } = ctx.viewer;
  return inTransaction(ctx.db, async (tx) => {
    const row = await tx.prisma.clientLog.create({
      data: { id: newId('ClientLog'), userId, header: header ?? '', values },
    });
    await tx.query(sql`DELETE FROM client_logs WHERE user_id = ${userId} AND id IN (
      SELECT l.id FROM client_logs l WHERE l.user_id = ${userId} ORDER BY l.id DESC OFFSET ${MAX_LINES})`);
    return row;
  });
}
