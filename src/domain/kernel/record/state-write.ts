import { randomBytes } from 'node:crypto';
import type { Reader } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql/sql.ts';
import type { StateKind } from '../../../generated/prisma/enums.ts';
import { toHex } from '../../../lib/text/hex.ts';
import { dataHash, SALT_BYTES } from './event-hash.ts';
import { stateBodies } from './state-bodies.ts';
import { stateHash } from './state-hash.ts';

/** An item that differs from its current state; `body` is null, or JSON as PostgreSQL writes it. */
export interface ChangedState {
  subjectId: string;
  kind: StateKind;
  projectId: string;
  parentId: string | null;
  body: string | null;
  /** An assignee has no id in state_people yet. */
  hasNewPeople: boolean;
}

/** A state to write, of which `hash` and `salt` are null without a body. */
interface NewState extends Omit<ChangedState, 'hasNewPeople'> {
  salt: string | null;
  hash: string | null;
}

/** Makes a statement that reads states run in UTC, wherever a pooler drops the settings of the session. Call it in an earlier one. */
export const IN_UTC = sql.raw(`set_config('TimeZone', 'UTC', true)`);

/**
 * Reads which of these items, of which there is one at least, differ from their current states. The caller holds the lock on the
 * head of the organization, or has sent the statement that waits for it.
 */
export async function changedStates(
  tx: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<ChangedState[]> {
  const read = () => tx.query<ChangedState>(changedItems(organizationId, ids));
  const rows = await read();
  const newcomers = rows.filter(({ hasNewPeople }) => hasNewPeople).map(({ subjectId }) => subjectId);
  if (newcomers.length === 0) return rows;
  await addPeople(tx, organizationId, newcomers);
  return read();
}

const changedItems = (organizationId: string, ids: readonly string[]): Sql => sql`
  SELECT i.id AS subject_id, coalesce(b.kind, s.kind) AS kind, coalesce(b.project_id, s.project_id) AS project_id, b.parent_id,
    b.body::text AS body, coalesce(b.body->'assignees' @> '[null]', false) AS has_new_people
  FROM unnest(${sql.texts(ids)}) i(id)
  LEFT JOIN (${stateBodies(organizationId, ids)}) b ON b.subject_id = i.id
  LEFT JOIN LATERAL (SELECT c.kind, c.project_id, c.body FROM states c
    WHERE c.organization_id = ${organizationId} AND c.subject_id = i.id ORDER BY c.from_sequence DESC LIMIT 1) s ON true
  WHERE s.body IS DISTINCT FROM b.body`;

/** Gives an id to each address of an assignee of these items that has none. */
const addPeople = (tx: Reader, organizationId: string, ids: readonly string[]): Promise<unknown> =>
  tx.query(sql`INSERT INTO state_people (organization_id, id, email)
    SELECT ${organizationId}, gen_random_uuid()::text, a.email FROM (
      SELECT d.email FROM document_assignments d WHERE d.organization_id = ${organizationId} AND d.document_id ${sql.any(ids)}
      UNION SELECT f.email FROM folder_assignments f WHERE f.organization_id = ${organizationId} AND f.folder_id ${sql.any(ids)}) a
    WHERE NOT EXISTS (SELECT FROM state_people w WHERE w.organization_id = ${organizationId} AND w.email = a.email)`);

/** Hashes states with salts of their own. `hash` is what the event commits to; null without a body. */
export function hashStates(changed: readonly ChangedState[]): { states: NewState[]; hash: Bytes | null } {
  const states = changed.map(({ subjectId, kind, projectId, parentId, body }): NewState => {
    const state = { subjectId, kind, projectId, parentId, body };
    if (body === null) return { ...state, salt: null, hash: null };
    const salt = randomBytes(SALT_BYTES);
    return { ...state, salt: toHex(salt), hash: toHex(dataHash(salt, JSON.parse(body))) };
  });
  return { states, hash: stateHash(states) };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** A part of a WITH clause: writes the next states of these items, which begin at `sequence`. */
export const writeStates = (
  organizationId: string,
  sequence: bigint,
  states: readonly NewState[],
): Sql => sql`
  new_state AS (
    INSERT INTO states (organization_id, subject_id, from_sequence, kind, project_id, parent_id, body, salt, hash)
    SELECT ${organizationId}, "subjectId", ${sequence}, kind, "projectId", "parentId", body::jsonb, decode(salt, 'hex'), decode(hash, 'hex')
    FROM jsonb_to_recordset(${JSON.stringify(states)}::jsonb) AS state("subjectId" text, kind state_kind,
      "projectId" text, "parentId" text, body text, salt text, hash text))`;

/** Takes the content from all states of the documents among these that are gone: only a purge deletes a document. */
export async function purgeDocumentStates(
  tx: Reader,
  organizationId: string,
  states: readonly NewState[],
): Promise<void> {
  const gone = states.filter(({ kind, body }) => kind === 'DOCUMENT' && body === null);
  if (gone.length > 0)
    await purge(tx, organizationId, sql`subject_id ${sql.any(gone.map(({ subjectId }) => subjectId))}`);
}

/** Takes the content from all states of a project that is purged, and of what it contained. */
export const purgeStates = (tx: Reader, organizationId: string, projectId: string): Promise<unknown> =>
  purge(tx, organizationId, sql`project_id = ${projectId}`);

const purge = (tx: Reader, organizationId: string, condition: Sql): Promise<unknown> =>
  tx.query(sql`UPDATE states SET body = NULL, salt = NULL
    WHERE organization_id = ${organizationId} AND ${condition} AND body IS NOT NULL`);
