import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { mapInSlices } from '../../lib/slices.ts';
import { toHex } from '../../lib/text/hex.ts';
import { requireAllowed } from './application-policy.ts';
import { unauthenticated } from './errors.ts';
import { eventHash, HASH_VERSION, SALT_BYTES } from './record/event-hash.ts';
import { idsWithStates } from './record/state-bodies.ts';
import { changedStates, hashStates, IN_UTC, purgeDocumentStates, writeStates } from './record/state-write.ts';

/** Who caused an event: user, credential, application and request. The user is null for the server and for public links. */
export interface Actor {
  viewer: {
    userId: string | null;
    credentialId: string | null;
    clientId?: string | null;
    authorizedAt?: Date;
  };
  requestId: string;
  /** The tool through which an agent acts (`Context.via`). */
  via?: string;
  /** What the person began earlier goes on, also if the account was erased since. */
  isContinuation?: boolean;
}

/** Work that goes on in the background for whoever began it. */
export const continuationOf = ({
  userId,
  credentialId,
  clientId,
  requestId,
}: Actor['viewer'] & Pick<Actor, 'requestId'>): Actor => ({
  viewer: { userId, credentialId, clientId },
  requestId,
  isContinuation: true,
});

/** The server itself; `requestId` names the job. */
export const serverActor = (requestId: string): Actor => ({
  viewer: { userId: null, credentialId: null },
  requestId,
});

/** An event to record. `data` holds the changed values as {before, after}, or the text of a comment. */
export interface NewEvent {
  organizationId: string;
  projectId?: string | null;
  /** The id of the object that changed. */
  subjectId: string;
  /** The ids of other items that changed with it, so that their states are written (docs/work/history.md). */
  touched?: readonly string[];
  /** Noun and verb, e.g. `document.renamed`. */
  kind: string;
  data?: Prisma.InputJsonObject;
}

/** An event about an object of an organization, or of a project. */
export const subjectEvent = (
  { organizationId, projectId, id }: { organizationId: string; projectId: string | null; id: string },
  kind: string,
  data: Prisma.InputJsonObject,
): NewEvent => ({ organizationId, projectId, subjectId: id, kind, data });

/**
 * Appends events to the hash chains of their organizations, in the transaction of the change. Call it last: it locks the
 * head of each chain until the commit, so other writers of the organization wait. A rollback leaves no gap in the numbers.
 * Throws FORBIDDEN to an application that the organization does not allow any more.
 */
export async function recordEvents(
  actor: Actor,
  tx: Transaction,
  events: readonly NewEvent[],
): Promise<EventRow[]> {
  const organizations = [...new Set(events.map(({ organizationId }) => organizationId))].sort();
  const rows: EventRow[] = [];
  for (const each of organizations)
    rows.push(
      ...(await appendEvents(
        actor,
        tx,
        each,
        events.filter(({ organizationId }) => organizationId === each),
      )),
    );
  return rows;
}

/** The last event of an organization. `recordedAt` is null if a server without hash version 2 wrote it. */
interface Head {
  sequence: bigint;
  hash: Bytes;
  recordedAt: Date | null;
}

/**
 * Locks the head of an organization's chain; undefined before its first event. Throws UNAUTHENTICATED if the account that acts is
 * erased: an erasure waits for the lock on the account, so that a change is committed before it, or refused.
 */
async function lockHead(actor: Actor, tx: Transaction, organizationId: string): Promise<Head | undefined> {
  const userId = actor.isContinuation ? null : actor.viewer.userId || null;
  const [head] = await tx.query<Head & { isErased: boolean | null }>(sql`
    WITH actor AS MATERIALIZED (SELECT u.erased_at FROM users u WHERE u.id = ${userId} FOR KEY SHARE),
    head AS MATERIALIZED (SELECT h.sequence, h.hash, h.recorded_at
      FROM event_heads h WHERE h.organization_id = ${organizationId} FOR UPDATE)
    SELECT h.*, (SELECT a.erased_at IS NOT NULL FROM actor a) AS is_erased, ${IN_UTC} FROM head h`);
  if (head ? head.isErased : await isErasedAccount(tx, userId))
    throw unauthenticated('The account of this request was erased.');
  return head;
}

/** Likewise for the first event of an organization. */
async function isErasedAccount(tx: Transaction, userId: string | null): Promise<boolean | undefined> {
  const [account] = await tx.query<{ isErased: boolean }>(
    sql`SELECT u.erased_at IS NOT NULL AS is_erased FROM users u WHERE u.id = ${userId} FOR KEY SHARE`,
  );
  return account?.isErased;
}

async function appendEvents(
  actor: Actor,
  tx: Transaction,
  organizationId: string,
  events: readonly NewEvent[],
): Promise<EventRow[]> {
  const ids = idsWithStates(events.flatMap(({ subjectId, touched = [] }) => [subjectId, ...touched]));
  // Sent together. The second has a snapshot of its own, taken once the first has the lock.
  const [head, changed] = await Promise.all([
    lockHead(actor, tx, organizationId),
    ids.length > 0 ? changedStates(tx, organizationId, ids) : [],
  ]);
  const { clientId, authorizedAt } = actor.viewer;
  if (clientId && authorizedAt) await requireAllowed(tx, organizationId, { clientId, authorizedAt });
  const { states, hash } = hashStates(changed);
  const rows = await chain(actor, head, events, hash);
  const [first] = rows;
  await insertEvents(
    tx,
    organizationId,
    rows,
    states.length > 0 && first ? writeStates(organizationId, first.sequence, states) : undefined,
  );
  await purgeDocumentStates(tx, organizationId, states);
  tx.announce(organizationId);
  return rows;
}

/** The rows of events that follow the head. The first one commits to the states of the transaction. */
async function chain(
  { viewer, requestId, via }: Actor,
  head: Head | undefined,
  events: readonly NewEvent[],
  stateHash: Bytes | null,
): Promise<EventRow[]> {
  let { sequence, hash } = head ?? { sequence: 0n, hash: new Uint8Array() };
  // Not before the event before, also where the clock was set back, or that of another process is ahead.
  const createdAt = new Date(Math.max(Date.now(), head?.recordedAt?.getTime() ?? 0));
  const salts = randomBytes(SALT_BYTES * events.length);
  return mapInSlices(events, (event, index): EventRow => {
    const row = {
      organizationId: event.organizationId,
      sequence: ++sequence,
      id: newId('Event'),
      projectId: event.projectId ?? null,
      subjectId: event.subjectId,
      kind: event.kind,
      actorId: viewer.userId || null,
      credentialId: viewer.credentialId || null,
      clientId: viewer.clientId ?? null,
      requestId,
      via: via ?? null,
      data: event.data ?? {},
      createdAt,
      hashVersion: HASH_VERSION,
      salt: Uint8Array.from(salts.subarray(SALT_BYTES * index, SALT_BYTES * (index + 1))),
      stateHash: index === 0 ? stateHash : null,
    };
    hash = eventHash(hash, row);
    return { ...row, hash };
  });
}

/** One statement, which goes with the commit if it is the last: the lock on the head is held for one round trip. */
async function insertEvents(
  tx: Transaction,
  organizationId: string,
  rows: EventRow[],
  states: Sql | undefined,
): Promise<void> {
  const { sequence, hash, createdAt } = rows.at(-1) as EventRow;
  const json = rows.map((row) => ({
    ...row,
    sequence: String(row.sequence),
    salt: toHex(row.salt),
    hash: toHex(row.hash),
    stateHash: row.stateHash ? toHex(row.stateHash) : null,
  }));
  await tx.defer(sql`
    WITH head AS (
      INSERT INTO event_heads AS h (organization_id, sequence, hash, recorded_at, states_since, states_until)
      VALUES (${organizationId}, ${sequence}, ${hash}, ${createdAt}, 0, ${sequence})
      ON CONFLICT (organization_id) DO UPDATE
      SET sequence = excluded.sequence, hash = excluded.hash, recorded_at = excluded.recorded_at,
        states_until = excluded.sequence, states_since = CASE WHEN h.states_until = h.sequence THEN h.states_since END
    )${states ? sql`, ${states}` : sql.empty}
    INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, credential_id,
      client_id, request_id, via, data, created_at, hash_version, salt, hash, state_hash)
    SELECT "organizationId", sequence, id, "projectId", "subjectId", kind, "actorId", "credentialId",
      "clientId", "requestId", via, data, "createdAt", "hashVersion", decode(salt, 'hex'), decode(hash, 'hex'), decode("stateHash", 'hex')
    FROM jsonb_to_recordset(${JSON.stringify(json)}::jsonb) AS row("organizationId" text, sequence bigint, id text,
      "projectId" text, "subjectId" text, kind text, "actorId" text, "credentialId" text, "clientId" text, "requestId" text,
      via text, data jsonb, "createdAt" timestamptz, "hashVersion" smallint, salt text, hash text, "stateHash" text)`);
}

export type EventRow = Prisma.EventCreateManyInput & {
  sequence: bigint;
  createdAt: Date;
  salt: Bytes;
  hash: Bytes;
};

type Bytes = Uint8Array<ArrayBuffer>;

/** The members whose values differ, as {before, after} for the data of an event. */
export function changes<Row extends object>(before: Row, after: Partial<Row>): Prisma.InputJsonObject {
  const names = Object.keys(after).filter(
    (name) => toJson(before[name as keyof Row]) !== toJson(after[name as keyof Row]),
  );
  const pick = (row: object) =>
    Object.fromEntries(
      names.map((name) => [name, JSON.parse(toJson((row as Record<string, unknown>)[name]) ?? 'null')]),
    );
  return { before: pick(before), after: pick(after) };
}

const toJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner));
