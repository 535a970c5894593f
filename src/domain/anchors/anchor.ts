import { randomBytes } from 'node:crypto';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { toHex } from '../../lib/text/hex.ts';
import type { StampedToken, TimeStamper } from '../../timestamp/authority.ts';
import { type DueWork, doDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { recordEvents, serverActor } from '../kernel/audit.ts';
import { SALT_BYTES } from '../kernel/record/event-hash.ts';
import { tables } from '../kernel/tables.ts';
import { type LogState, stateLeaf } from './anchor-proof.ts';
import { ANCHORS, type AnchorRow, anchorColumns } from './anchor-row.ts';
import { loadLogTree, storeTiles } from './log-tree.ts';
import { inclusionPath, type RangeHash, rangeHash } from './merkle-tree.ts';

/** The kind of the event that says that a state of the log was stamped. */
export const ANCHORED = 'log.anchored';

/** Organizations that one statement reads or writes. */
const BATCH = 500;

/**
 * Has one time-stamp made over the logs of all organizations with new events. An event that says so is none of these,
 * so the log of an organization in which nothing happens does not grow. Returns the number of organizations. Throws
 * NoTimeStamp.
 */
export async function anchorLogs(db: Database, stamp: TimeStamper): Promise<number> {
  const states: LogState[] = [];
  for await (const { organizationId, sequence } of grownLogs(db))
    states.push(await stateOf(db, organizationId, Number(sequence)));
  if (states.length === 0) return 0;
  const leaves = states.map(stateLeaf);
  const hashOf = rangeHash((index) => leaves[index] as (typeof leaves)[number]);
  const stamped = await stamp(hashOf(0, states.length));
  await inTransaction(db, (tx) => storeAnchors(tx, { states, hashOf, stamped }));
  return states.length;
}

type GrownLog = { organizationId: string; sequence: bigint };

async function* grownLogs(db: Reader): AsyncGenerator<GrownLog> {
  for (let after = ''; ; ) {
    const logs = await db.query<GrownLog>(sql`SELECT h.organization_id, h.sequence FROM event_heads h
      LEFT JOIN LATERAL (SELECT l.size, l.event_sequence FROM ${tables.logAnchors.from}
        WHERE l.organization_id = h.organization_id ORDER BY l.size DESC LIMIT 1) a ON true
      WHERE h.organization_id > ${after}
        AND h.sequence - coalesce(a.size, 0) > CASE WHEN a.event_sequence IS NULL THEN 0 ELSE 1 END
      ORDER BY h.organization_id LIMIT ${BATCH}`);
    yield* logs;
    if (logs.length < BATCH) return;
    after = (logs.at(-1) as GrownLog).organizationId;
  }
}

async function stateOf(db: Reader, organizationId: string, size: number): Promise<LogState> {
  await storeTiles(db, organizationId, size);
  const hashOf = await loadLogTree(db, organizationId, size);
  return { organizationId, size, root: toHex(hashOf(0, size)), salt: toHex(randomBytes(SALT_BYTES)) };
}

interface NewStamp {
  states: readonly LogState[];
  hashOf: RangeHash;
  stamped: StampedToken;
}

async function storeAnchors(tx: Transaction, { states, hashOf, stamped }: NewStamp): Promise<void> {
  const digest = hashOf(0, states.length);
  await tx.query(sql`INSERT INTO log_stamps (digest, size, token, authority, stamped_at)
    VALUES (${digest}, ${states.length}, ${stamped.token}, ${stamped.authority}, ${stamped.time})`);
  const rows = states.map((state, position) => ({
    ...state,
    id: newId('LogAnchor'),
    position,
    path: inclusionPath(hashOf, position, states.length).map(toHex).join(''),
  }));
  for (let from = 0; from < rows.length; from += BATCH)
    await tx.query(sql`INSERT INTO log_anchors (organization_id, id, digest, size, root, salt, position, path)
      SELECT o.id, x.id, ${digest}, x.size, decode(x.root, 'hex'), decode(x.salt, 'hex'), x.position, decode(x.path, 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + BATCH))}::jsonb)
        AS x("organizationId" text, id text, size bigint, root text, salt text, position int, path text)
      JOIN organizations o ON o.id = x."organizationId" ON CONFLICT DO NOTHING`);
  tx.wake('anchor');
}

/** Records the next stamped state of a log as an event of its organization; false if all are recorded. */
export const announceNextAnchor = (db: Database): Promise<boolean> => doDueWork(db, announcing);

const announcing: DueWork<DueRow> = {
  work: 'announceAnchor',
  async claim(tx, idCondition) {
    const [anchor] = await tx.query<DueRow>(sql`SELECT l.organization_id, l.id FROM ${tables.logAnchors.from}
      WHERE l.event_sequence IS NULL AND l.organization_id ${idCondition} AND ${mayBeTried('announceAnchor', tables.logAnchors)}
      ORDER BY l.organization_id, l.id LIMIT 1 FOR UPDATE SKIP LOCKED`);
    return anchor;
  },
  run: announce,
};

async function announce(tx: Transaction, { organizationId, id }: DueRow): Promise<void> {
  const [anchor] = await tx.query<Omit<AnchorRow, 'token'>>(
    sql`SELECT ${anchorColumns} FROM ${ANCHORS} WHERE ${tables.logAnchors}.id = ${id}`,
  );
  if (!anchor) return;
  const { size, root, digest, authority, stampedAt } = anchor;
  const after = {
    ...{ anchorId: id, size: Number(size), root, digest, authority },
    stampedAt: stampedAt.toISOString(),
  };
  const [event] = await recordEvents(serverActor('anchor'), tx, [
    { organizationId, subjectId: organizationId, kind: ANCHORED, data: { after } },
  ]);
  await tx.query(
    sql`UPDATE ${tables.logAnchors.from} SET event_sequence = ${event?.sequence} WHERE l.id = ${id}`,
  );
}
