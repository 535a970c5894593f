import { createHash } from 'node:crypto';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';

/**
 * Who did it, with which credential, through which application, in which request; nobody when the server did it by
 * itself, or through a public link.
 */
export interface Actor {
  viewer: { userId: string | null; credentialId: string | null; clientId?: string | null };
  requestId: string;
}

/** What happened to one thing. `data` holds what changed, as {before, after}, or what was said. */
export interface NewEvent {
  organizationId: string;
  projectId?: string | null;
  /** The id of the thing it happened to. */
  subjectId: string;
  /** Noun and verb, e.g. `document.renamed`. */
  kind: string;
  data?: Prisma.InputJsonObject;
}

/**
 * Appends events, in the transaction that makes them true. Call it last: it takes the row of each
 * organization's last event, and so holds up every other writer there until the commit; numbers have no gaps, since a
 * rollback gives them back. Each row's hash covers its content and the hash of the row before.
 */
export async function recordEvents(
  actor: Actor,
  tx: Transaction,
  occurrences: readonly NewEvent[],
): Promise<EventRow[]> {
  const organizations = [...new Set(occurrences.map(({ organizationId }) => organizationId))].sort();
  const rows: EventRow[] = [];
  for (const each of organizations)
    rows.push(
      ...(await appendEvents(
        actor,
        tx,
        each,
        occurrences.filter(({ organizationId }) => organizationId === each),
      )),
    );
  return rows;
}

async function appendEvents(
  actor: Actor,
  tx: Transaction,
  organizationId: string,
  occurrences: readonly NewEvent[],
): Promise<EventRow[]> {
  const [head] = await tx.query<{ sequence: bigint; hash: Bytes }>(
    sql`SELECT sequence, hash FROM event_heads WHERE organization_id = ${organizationId} FOR UPDATE`,
  );
  let { sequence, hash } = head ?? { sequence: 0n, hash: new Uint8Array() };
  const createdAt = new Date();
  const rows = occurrences.map((occurrence): EventRow => {
    const row = {
      organizationId,
      sequence: ++sequence,
      id: newId('Event'),
      projectId: occurrence.projectId ?? null,
      subjectId: occurrence.subjectId,
      kind: occurrence.kind,
      actorId: actor.viewer.userId || null,
      credentialId: actor.viewer.credentialId || null,
      clientId: actor.viewer.clientId ?? null,
      requestId: actor.requestId,
      data: occurrence.data ?? {},
      createdAt,
    };
    hash = eventHash(hash, row);
    return { ...row, hash };
  });
  await insertEvents(tx, organizationId, rows);
  tx.announce(organizationId);
  return rows;
}

/** One statement, since everyone else who writes in the organization waits meanwhile. */
async function insertEvents(tx: Transaction, organizationId: string, rows: EventRow[]): Promise<void> {
  const { sequence, hash } = rows.at(-1) as EventRow;
  const written = rows.map((row) => ({
    ...row,
    sequence: String(row.sequence),
    hash: Buffer.from(row.hash).toString('hex'),
  }));
  await tx.query(sql`
    WITH head AS (
      INSERT INTO event_heads (organization_id, sequence, hash) VALUES (${organizationId}, ${sequence}, ${hash})
      ON CONFLICT (organization_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash
    )
    INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, credential_id,
      client_id, request_id, data, created_at, hash)
    SELECT "organizationId", sequence, id, "projectId", "subjectId", kind, "actorId", "credentialId",
      "clientId", "requestId", data, "createdAt", decode(hash, 'hex')
    FROM jsonb_to_recordset(${JSON.stringify(written)}::jsonb) AS row("organizationId" text, sequence bigint, id text,
      "projectId" text, "subjectId" text, kind text, "actorId" text, "credentialId" text, "clientId" text, "requestId" text,
      data jsonb, "createdAt" timestamptz, hash text)`);
}

export type EventRow = Prisma.EventCreateManyInput & { hash: Bytes };

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * SHA-256 over the hash before and the row as JSON with its members in order of name, at every depth. Rows from before
 * there was a clientId have none, and so have those without an application.
 */
export function eventHash(before: Uint8Array, row: Omit<Prisma.EventCreateManyInput, 'hash'>): Bytes {
  const hashed = { ...row, clientId: row.clientId ?? undefined, sequence: String(row.sequence) };
  const toJson = JSON.stringify(hashed, sortMembers);
  return Uint8Array.from(createHash('sha256').update(before).update(toJson).digest());
}

const sortMembers = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The members that differ, for an event's data. */
export function changes<Row extends object>(before: Row, after: Partial<Row>): Prisma.InputJsonObject {
  const names = Object.keys(after).filter(
    (name) => text(before[name as keyof Row]) !== text(after[name as keyof Row]),
  );
  const pick = (row: object) =>
    Object.fromEntries(
      names.map((name) => [name, JSON.parse(text((row as Record<string, unknown>)[name]) ?? 'null')]),
    );
  return { before: pick(before), after: pick(after) };
}

const text = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner));
