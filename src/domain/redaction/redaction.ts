import { z } from 'zod';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Event as EventRow } from '../../generated/prisma/client.ts';
import { idAs, typeOfId } from '../../lib/id.ts';
import { toHex } from '../../lib/text/hex.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { visibleEvents } from '../access/access-event.ts';
import { type Event, findEvents } from '../events/event.ts';
import { REDACTED, redactedEvent } from '../events/redaction-check.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import { idsOf, positionIn, requireDistinct, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchSize, text } from '../kernel/input.ts';
import { dataHash, HASH_VERSION } from '../kernel/record/event-hash.ts';
import { tables } from '../kernel/tables.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { inOrderOf } from '../projects/project.ts';
import { deleteQuotingMails } from './quoting-mail.ts';

/** Kinds whose content proves a seal. */
export const PROOFS = [
  'document.signingBegan',
  'document.signed',
  'document.signingCompleted',
  'document.sealed',
  'document.timeStamped',
  'document.validationDataAdded',
  'document.validationFailed',
];

/** On events: whether their content proves a seal, or one that is still to come. Not once its document is purged. */
export const provesSeal = (
  e: Rows<'events'>,
): Sql => sql`(${e}.kind = ANY(${PROOFS}) AND EXISTS (SELECT FROM signature_sessions g
  WHERE g.organization_id = ${e}.organization_id AND g.id = ${e}.data ->> 'sessionId' AND g.state IN ('ACTIVE', 'COMPLETED')))`;

export const redactionReason = text(1_000).refine((value) => value.trim() !== '', 'must not be empty');

const redaction = z.strictObject({
  organizationId: z.string(),
  eventIds: z.array(z.string().transform((id) => (typeOfId(id) === 'Comment' ? idAs('Event', id) : id))),
  reason: redactionReason,
});

/**
 * Removes the content of events for good, and records by whom and why. The rest of each event stays, and its hash is still
 * verified. Requires the role OWNER or ADMIN; not for applications. Throws CONFLICT for events that prove a seal, that say
 * what was redacted, or that are redacted already.
 */
export function redactEvents(ctx: Context, input: z.input<typeof redaction>): Promise<Event[]> {
  const { organizationId, eventIds, reason } = parse(redaction, input);
  const pathOf = positionIn('eventIds', eventIds);
  requireNoApplication(ctx.viewer, 'events');
  requireBatchSize(eventIds, ctx.limits.batchMax, 'eventIds');
  requireDistinct(eventIds, (index) => `eventIds.${index}`, 'is given twice');
  return inTransaction(ctx.db, async (tx) => {
    await requireOrganizationAdmin(ctx, tx, organizationId);
    const rows = await lockEvents(
      tx,
      organizationId,
      sql`e.id ${sql.any(eventIds)} AND ${visibleEvents(ctx.viewer, tables.events)}`,
      eventIds.length,
    );
    requireFound('Event', eventIds, rows, pathOf);
    for (const row of rows) requireRedactable(row, pathOf(row.id));
    await redact(ctx, tx, rows, reason);
    return inOrderOf(
      await findEvents(ctx, eventIds, tx),
      eventIds.map((id) => ({ id })),
    );
  });
}

/** Events that one transaction redacts, and one event names. */
const BATCH = 500;

/**
 * Redacts all events of an object that may be redacted, also where the object was purged, BATCH at a time. Returns how many
 * that were. `actor`: on whose behalf.
 */
export const redactEventsOf = (
  db: Database,
  actor: Actor,
  { subjectId, ...why }: Redaction & { subjectId: string },
): Promise<number> => redactWhere(db, actor, why, sql`${tables.events}.subject_id = ${subjectId}`);

/** The same for these events of an organization. */
export const redactListedEvents = (
  db: Database,
  actor: Actor,
  { eventIds, ...why }: Redaction & { eventIds: readonly string[] },
): Promise<number> => redactWhere(db, actor, why, sql`${tables.events}.id ${sql.any(eventIds)}`);

interface Redaction {
  organizationId: string;
  reason: string;
}

async function redactWhere(
  db: Database,
  actor: Actor,
  { organizationId, reason }: Redaction,
  condition: Sql,
): Promise<number> {
  const next = sql`${condition} AND e.redacted_by_id IS NULL AND e.kind <> ${REDACTED} AND NOT ${provesSeal(tables.events)}`;
  const redactBatch = async (tx: Transaction) => {
    const rows = await lockEvents(tx, organizationId, next, BATCH);
    await redact(actor, tx, rows, reason);
    return rows.length;
  };
  for (let total = 0; ; ) {
    const count = await inTransaction(db, redactBatch);
    total += count;
    if (count < BATCH) return total;
  }
}

/** An event with the hash before it. */
type LockedEvent = EventRow & { previous: Uint8Array | null; isProof: boolean };

/** In order of sequence, so that two redactions do not wait for each other. */
const lockEvents = (
  tx: Transaction,
  organizationId: string,
  condition: Sql,
  limit: number,
): Promise<LockedEvent[]> =>
  tx.query<LockedEvent>(sql`SELECT e.*, p.hash AS previous, ${provesSeal(tables.events)} AS is_proof FROM ${tables.events.from}
    LEFT JOIN events p ON p.organization_id = e.organization_id AND p.sequence = e.sequence - 1
    WHERE e.organization_id = ${organizationId} AND ${condition} ORDER BY e.sequence LIMIT ${limit} FOR UPDATE OF e`);

function requireRedactable({ kind, redactedById, isProof }: LockedEvent, at: string): void {
  if (redactedById) throw conflict('The event is redacted already.', at);
  if (isProof) throw conflict('The event proves what was signed, and is kept as long as the document.', at);
  if (kind === REDACTED) throw conflict('What an event says of a redaction is kept.', at);
}

/** Records one event for each subject, which names what is redacted, and removes the content. */
async function redact(actor: Actor, tx: Transaction, rows: LockedEvent[], reason: string): Promise<void> {
  if (rows.length === 0) return;
  const subjects = bySubject(rows);
  await lockCommented(tx, [...subjects.keys()]);
  const recorded = await recordEvents(
    actor,
    tx,
    [...subjects].map(([subjectId, events]) => {
      const { organizationId, projectId } = events.at(-1) as LockedEvent;
      const named = events.map(({ previous, isProof: _, ...row }) =>
        redactedEvent(previous ?? new Uint8Array(), row),
      );
      return {
        organizationId,
        projectId,
        subjectId,
        kind: REDACTED,
        data: { after: { reason, events: named } },
      };
    }),
  );
  await removeContent(tx, rows, new Map(recorded.map(({ subjectId, id }) => [subjectId, id])));
  await deleteQuotingMails(tx, (rows[0] as LockedEvent).organizationId, {
    eventIds: idsOf(rows),
    subjectIds: [...subjects.keys()],
  });
}

function bySubject(rows: LockedEvent[]): Map<string, LockedEvent[]> {
  const subjects = new Map<string, LockedEvent[]>();
  for (const row of rows) subjects.set(row.subjectId, [...(subjects.get(row.subjectId) ?? []), row]);
  return subjects;
}

/** As whoever comments on them or changes them does, before the head of the chain and the entries of the search index. */
async function lockCommented(tx: Transaction, subjectIds: string[]): Promise<void> {
  for (const table of ['documents', 'tasks'])
    await tx.query(
      sql`SELECT x.id FROM ${sql.raw(table)} x WHERE x.id = ANY(${subjectIds}) ORDER BY x.id FOR UPDATE`,
    );
}

/** A trigger removes the words of comments from the search index. */
const removeContent = (tx: Transaction, rows: LockedEvent[], redactions: Map<string, string>) =>
  tx.query(sql`UPDATE events e SET data = '{}', salt = NULL, data_hash = decode(x.data_hash, 'hex'), redacted_by_id = x.redacted_by_id
    FROM unnest(${sql.texts(idsOf(rows))}, ${sql.texts(rows.map(keptHash))}, ${sql.texts(rows.map(({ subjectId }) => redactions.get(subjectId)))})
      AS x(id, data_hash, redacted_by_id) WHERE e.id = x.id`);

/** What the hash of an event goes on to cover in place of its content, in hex; null in version 1, where it does not. */
const keptHash = ({ hashVersion, salt, data }: LockedEvent): string | null =>
  hashVersion < HASH_VERSION ? null : toHex(dataHash(salt ?? new Uint8Array(), data));
