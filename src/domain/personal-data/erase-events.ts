import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { serverActor } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { redactListedEvents } from '../redaction/redaction.ts';
import { findErasedContent } from './event-content.ts';
import { addCounts, countActs, type EventCounts } from './event-counts.ts';
import type { PersonState } from './person.ts';
import { organizationsOfPerson } from './person-events.ts';

const REASON = 'A person was erased';

/**
 * Redacts what events hold of an erased account: where the person was a member or acted, and wherever else others recorded the
 * address, as in an invitation. No index finds that, so the logs of all organizations are read.
 */
export async function eraseEventContent(ctx: Context, person: PersonState): Promise<EventCounts> {
  const own = new Set(await organizationsOfPerson(ctx.db, person));
  const counts: EventCounts = { redacted: 0, proofs: 0, comments: 0, acted: 0 };
  for (const id of person.address ? await allOrganizations(ctx.db) : own) {
    addCounts(counts, await redactFound(ctx, { id, isOwn: own.has(id) }, person));
    if (!own.has(id)) continue;
    await eraseDecisionTexts(ctx, id, person);
    addCounts(counts, await countActs(ctx.db, id, person));
  }
  return counts;
}

const allOrganizations = async ({ query }: Reader): Promise<string[]> =>
  (await query<{ id: string }>(sql`SELECT o.id FROM organizations o ORDER BY o.id`)).map(({ id }) => id);

async function redactFound(
  { db, requestId }: Context,
  organization: { id: string; isOwn: boolean },
  person: PersonState,
): Promise<Pick<EventCounts, 'redacted' | 'proofs'>> {
  const counts = { redacted: 0, proofs: 0 };
  for await (const events of findErasedContent(db, organization, person)) {
    const eventIds = events.flatMap(({ id, isProof }) => (isProof ? [] : [id]));
    counts.proofs += events.length - eventIds.length;
    if (eventIds.length > 0)
      counts.redacted += await redactListedEvents(db, serverActor(requestId), {
        ...{ organizationId: organization.id, eventIds, reason: REASON },
      });
  }
  return counts;
}

/** What approvers wrote with a decision is a comment, too. */
const eraseDecisionTexts = ({ db }: Context, organizationId: string, { userId }: PersonState) =>
  db.query(sql`UPDATE approvers a SET comment = NULL FROM organizations o
    WHERE o.id = ${organizationId} AND o.erased_comments = 'REDACT' AND a.organization_id = o.id
    AND a.user_id = ${userId} AND a.comment IS NOT NULL RETURNING a.user_id`);
