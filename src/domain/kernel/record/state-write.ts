import { randomBytes } from 'node:crypto';
import type { Reader } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql/sql.ts';
import type { StateKind } from '../../../generated/prisma/enums.ts';
import { typeOfId } from '../../../lib/id.ts';
import { toHex } from '../../../lib/text/hex.ts';
import { dataHash, SALT_BYTES } from './event-hash.ts';
import { stateHash } from './state-hash.ts';

/** The types of ids whose items have states (prisma/triggers/states.sql). */
const WITH_STATES = new Set(['Project', 'Folder', 'Document', 'Field']);

/** `to_sequence` of a state that has not ended. */
export const CURRENT = 9_223_372_036_854_775_807n;

/** An item that differs from its current state; `body` is null, or JSON as PostgreSQL writes it. */
export interface ChangedState {
  subjectId: string;
  kind: StateKind;
  projectId: string;
  parentId: string | null;
  body: string | null;
}

/** A state to write, of which `hash` and `salt` are null without a body. */
interface NewState extends ChangedState {
  salt: string | null;
  hash: string | null;
}

/** Those of these ids, each once, whose items have states. */
export const idsWithStates = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter((id) => WITH_STATES.has(typeOfId(id) ?? ''))),
];

/** Reads which of these items differ from their current states. The caller holds the lock on the head of the organization. */
export const changedStates = (
  reader: Reader,
  organizationId: string,
  ids: string[],
): Promise<ChangedState[]> =>
  reader.query<ChangedState>(sql`SELECT c.* FROM changed_states(${organizationId}, ${sql.texts(ids)}) c`);

/** Hashes states with salts of their own. `hash` is what the event commits to; null without a body. */
export function hashStates(states: readonly ChangedState[]): { states: NewState[]; hash: Bytes | null } {
  const hashed = states.map(({ subjectId, kind, projectId, parentId, body }): NewState => {
    const state = { subjectId, kind, projectId, parentId, body };
    if (body === null) return { ...state, salt: null, hash: null };
    const salt = randomBytes(SALT_BYTES);
    return { ...state, salt: toHex(salt), hash: toHex(dataHash(salt, JSON.parse(body))) };
  });
  return { states: hashed, hash: stateHash(hashed) };
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Parts of a WITH clause: end the current states of these items at `sequence`, and write their next ones. Of a document that is
 * gone, all states lose their content.
 */
export const writeStates = (
  organizationId: string,
  sequence: bigint,
  states: readonly NewState[],
): Sql => sql`
  changed_state AS MATERIALIZED (
    SELECT c.* FROM jsonb_to_recordset(${JSON.stringify(states)}::jsonb) AS c("subjectId" text, kind state_kind,
      "projectId" text, "parentId" text, body text, salt text, hash text)),
  ended_state AS (
    UPDATE states s SET to_sequence = least(s.to_sequence, ${sequence}),
      body = CASE WHEN ${purged} THEN NULL ELSE s.body END, salt = CASE WHEN ${purged} THEN NULL ELSE s.salt END
    FROM changed_state c
    WHERE s.organization_id = ${organizationId} AND s.subject_id = c."subjectId" AND (s.to_sequence = ${CURRENT} OR ${purged})),
  new_state AS (
    INSERT INTO states (organization_id, subject_id, from_sequence, kind, project_id, parent_id, body, salt, hash)
    SELECT ${organizationId}, c."subjectId", ${sequence}, c.kind, c."projectId", c."parentId", c.body::jsonb,
      decode(c.salt, 'hex'), decode(c.hash, 'hex')
    FROM changed_state c)`;

/** Takes the content from all states of a project that is purged, and of what it contained. */
export const purgeStates = (tx: Reader, organizationId: string, projectId: string): Promise<unknown> =>
  tx.query(sql`UPDATE states SET body = NULL, salt = NULL
    WHERE organization_id = ${organizationId} AND project_id = ${projectId} AND body IS NOT NULL`);

/** A document is deleted by a purge only. */
const purged = sql`(c.kind = 'DOCUMENT' AND c.body IS NULL)`;
