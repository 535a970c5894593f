import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { REDACTED } from '../events/redaction-check.ts';
import { tables } from '../kernel/tables.ts';
import { COMMENT_EVENTS } from '../notifications/notification-kind.ts';
import { provesSeal } from '../redaction/redaction.ts';
import type { Person } from './holding.ts';
import { erasedEmail } from './person.ts';

export type ErasedEvents = Person & {
  email: string;
  /** Later events of others are about somebody else, who may have the address by then. */
  erasedAt?: Date | null;
};

/** Sequences that one statement searches. */
const WINDOW = 5_000n;

/** Characters of the part of an address before its @ (RFC 5322 §3.2.3). */
const ATOM = "a-z0-9.!#$%&'*+/=?^_\\x60{|}~-";

/** The address as a whole, in any case: not a part of a longer one. */
const wholeAddress = (email: string): string =>
  [
    `(^|[^${ATOM}])`,
    email.replace(/[^a-z0-9@]/gi, (character) => `\\${character}`),
    '($|[^a-z0-9.-]|[.]($|[^a-z0-9-]))',
  ].join('');

/** The content holds the address. The first condition is the quicker one. */
const holds = (email: string): Sql =>
  sql`strpos(lower(e.data::text), ${email}) > 0 AND e.data::text ~* ${wholeAddress(email)}`;

/** The content names the person; of an address that was never verified only where the event is theirs. */
const holdsAddress = ({ email, address, userId }: ErasedEvents): Sql =>
  sql`(${holds(email)}
    AND ${address ? sql`true` : sql`(e.actor_id = ${userId} OR e.subject_id = ${userId})`})`;

/** An address that a member had before, and the event with which it was replaced. */
interface FormerAddress {
  email: string;
  sequence: bigint;
}

/** The addresses that the person had before in an organization. The events that say so are redacted last, as they are newer. */
const formerAddresses = (
  reader: Reader,
  organizationId: string,
  { userId }: Person,
): Promise<FormerAddress[]> =>
  reader.query<FormerAddress>(sql`SELECT lower(e.data #>> '{before,email}') AS email, max(e.sequence) AS sequence
    FROM ${tables.events.from} WHERE e.organization_id = ${organizationId} AND e.subject_id = ${userId}
      AND e.kind = 'member.updated' AND e.data #>> '{before,email}' IS NOT NULL GROUP BY 1`);

/** Later events are about somebody else, who may have the address since. */
const holdsFormerAddress = ({ email, sequence }: FormerAddress): Sql =>
  sql`(e.sequence <= ${sequence} AND ${holds(email)})`;

/** Ids of the signers of an organization who are the person; the address of some may be replaced by now. */
const recipientsOf = async (
  reader: Reader,
  organizationId: string,
  { userId, address }: ErasedEvents,
): Promise<string[]> => {
  const rows = await reader.query<{ id: string }>(sql`SELECT r.id FROM signature_recipients r
    WHERE r.organization_id = ${organizationId}
      AND (r.user_id = ${userId} OR r.email IN (${address}, ${erasedEmail(userId)}))`);
  return rows.map(({ id }) => id);
};

/** The content says from where the person acted, with their account or as a signer. */
const holdsOrigin = ({ userId }: ErasedEvents, recipientIds: readonly string[]): Sql =>
  sql`((e.actor_id = ${userId} OR e.data ->> 'recipientId' = ANY(${recipientIds}))
    AND (e.data @? '$.**.ipAddress ? (@ != null)' OR e.data @? '$.**.userAgent ? (@ != null)'))`;

const isComment = (e: Rows<'events'>): Sql => sql`${e}.kind = ANY(${COMMENT_EVENTS})`;

/** On events: a comment by the person. */
export const isOwnComment = (e: Rows<'events'>, { userId }: Person): Sql =>
  sql`(${e}.actor_id = ${userId} AND ${isComment(e)})`;

/** Where the person acted, or is or was a member: also the addresses that they had before, and comments that are not kept. */
async function namesMember(reader: Reader, organizationId: string, person: ErasedEvents): Promise<Sql> {
  const former = await formerAddresses(reader, organizationId, person);
  const [organization] = await reader.query<{ redacts: boolean }>(
    sql`SELECT o.erased_comments = 'REDACT' AS redacts FROM organizations o WHERE o.id = ${organizationId}`,
  );
  const unwanted = organization?.redacts ? [isOwnComment(tables.events, person)] : [];
  return sql`(${sql.join([holdsAddress(person), ...former.map(holdsFormerAddress), ...unwanted], ' OR ')})`;
}

/** Elsewhere, as where they were only invited: comments are by others about somebody else's work, and stay. */
const namesOutsider = (person: ErasedEvents): Sql =>
  sql`(${holdsAddress(person)} AND NOT ${isComment(tables.events)})`;

/**
 * Condition on events of an organization: an erasure removes their content, or would if it proved no seal. `isOwn`: the person
 * acted there, or is or was a member.
 */
export async function erasedContent(
  reader: Reader,
  { id, isOwn }: { id: string; isOwn: boolean },
  person: ErasedEvents,
): Promise<Sql> {
  const names = isOwn ? await namesMember(reader, id, person) : namesOutsider(person);
  const origin = holdsOrigin(person, await recipientsOf(reader, id, person));
  return sql`(e.redacted_by_id IS NULL AND e.kind <> ${REDACTED} AND (e.actor_id = ${person.userId}
    OR e.created_at <= coalesce(${person.erasedAt ?? null}::timestamptz, 'infinity')) AND (${names} OR ${origin}))`;
}

interface FoundEvent {
  id: string;
  isProof: boolean;
}

/** Yields the events of an organization whose content an erasure removes, or would if it proved no seal. */
export async function* findErasedContent(
  reader: Reader,
  organization: { id: string; isOwn: boolean },
  person: ErasedEvents,
): AsyncGenerator<FoundEvent[]> {
  const { id } = organization;
  const [head] = await reader.query<{ last: bigint }>(
    sql`SELECT h.sequence AS last FROM event_heads h WHERE h.organization_id = ${id}`,
  );
  const isErased = await erasedContent(reader, organization, person);
  for (let after = 0n; after < (head?.last ?? 0n); after += WINDOW)
    yield await reader.query<FoundEvent>(sql`SELECT e.id, ${provesSeal(tables.events)} AS is_proof
      FROM ${tables.events.from} WHERE e.organization_id = ${id}
      AND e.sequence > ${after} AND e.sequence <= ${after + WINDOW} AND ${isErased} ORDER BY e.sequence`);
}
