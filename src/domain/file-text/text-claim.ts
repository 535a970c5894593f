import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { TextStep } from '../../generated/prisma/client.ts';
import { MINUTE } from '../../lib/time.ts';

/** A lease on a blob whose text is being read. `claim` numbers all claims of it, `attempt` those since the last retry. */
export interface Claim {
  organizationId: string;
  id: string;
  size: bigint;
  contentType: string;
  attempt: number;
  claim: number;
  step: TextStep;
}

/** Which organizations are considered: those after `after` first, and none of `except`. */
export interface ClaimOptions {
  after?: string;
  except?: readonly string[];
}

/** Milliseconds until a claim expires unless renewed; then another process may start again. */
const LEASE = MINUTE;

/** The half-life of an organization's reading time. */
const HALF_LIFE = 10 * MINUTE;

/** The number of organizations among which a claim chooses; the next claim starts after the chosen one. */
const CANDIDATES = 50;

/** On blobs: the claim has not been lost to another process. */
export const holdsClaim = ({ organizationId, id, claim }: Claim): Sql =>
  sql`organization_id = ${organizationId} AND id = ${id} AND text_status = 'PENDING' AND text_claims = ${claim}`;

const pendingAt = (step: TextStep): Sql => sql`text_status = 'PENDING' AND text_step = ${step}::text_step`;

/** The expression of the index blobs_text_due: new small files first, retries last. */
const RANK = sql`(CASE WHEN text_attempts > 0 THEN 3
  WHEN text_turns > 0 THEN 2 WHEN size > 2097152 THEN 1 ELSE 0 END)`;

/** Up to CANDIDATES organizations with pending content, by id from `after` on, wrapping around once. */
const candidates = (step: TextStep, after: string): Sql => sql`
  SELECT ${after}::text COLLATE "C" AS organization_id, false AS wrapped, 0 AS number
  UNION ALL
  SELECT x.organization_id, x.wrapped, c.number + 1 FROM candidates c CROSS JOIN LATERAL (
    (SELECT b.organization_id, c.wrapped AS wrapped FROM blobs b
      WHERE ${pendingAt(step)} AND b.organization_id > c.organization_id ORDER BY b.organization_id LIMIT 1)
    UNION ALL
    (SELECT b.organization_id, true FROM blobs b
      WHERE ${pendingAt(step)} AND NOT c.wrapped ORDER BY b.organization_id LIMIT 1)
    LIMIT 1) x
  WHERE c.number < ${CANDIDATES} AND (NOT x.wrapped OR x.organization_id <= ${after})`;

/** The candidates, ordered by files being read now, then by reading time used. */
const byUsage = (step: TextStep, except: readonly string[]): Sql => sql`
  SELECT c.organization_id FROM candidates c
  LEFT JOIN text_usage u ON u.organization_id = c.organization_id AND u.step = ${step}::text_step
  WHERE c.number > 0 AND c.organization_id <> ALL(${sql.texts(except)})
  ORDER BY (SELECT count(*) FROM blobs b WHERE b.text_leased AND b.text_step = ${step}::text_step
      AND b.organization_id = c.organization_id AND b.text_next_at > now()),
    coalesce(u.spent * ${decay(sql`u.spent_at`)}, 0), c.number`;

const decay = (since: Sql): Sql =>
  sql`power(0.5, extract(epoch FROM now() - ${since}) / ${HALF_LIFE / 1000})`;

/**
 * Claims content that is due for this step; undefined if there is none. Concurrent claims skip locked rows. Nested loops
 * keep the order of the candidates, so at most one row per rank is read and locked.
 */
export async function claimText(
  db: Reader,
  step: TextStep,
  { after = '', except = [] }: ClaimOptions = {},
): Promise<Claim | undefined> {
  const [claim] = await db.query<Claim>(sql`
    WITH RECURSIVE candidates AS (${candidates(step, after)}),
    chosen AS MATERIALIZED (SELECT due.id FROM (${byUsage(step, except)}) turn
      CROSS JOIN LATERAL (SELECT b.id FROM unnest(ARRAY[0, 1, 2, 3]) AS r(rank) CROSS JOIN LATERAL (
        SELECT id FROM blobs WHERE ${pendingAt(step)} AND organization_id = turn.organization_id AND ${RANK} = r.rank
          AND text_next_at <= now() ORDER BY text_next_at LIMIT 1 FOR UPDATE SKIP LOCKED) b LIMIT 1) due
      LIMIT 1)
    UPDATE blobs SET text_attempts = text_attempts + 1, text_claims = text_claims + 1, text_leased = true,
      text_next_at = ${nowPlus(LEASE)}
    WHERE id = (SELECT id FROM chosen)
    RETURNING organization_id, id, size, content_type, text_attempts AS attempt, text_claims AS claim, text_step AS step`);
  return claim;
}

/** Extends a claim by LEASE. False if it was lost. */
export async function renewClaim(db: Database, claim: Claim): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE blobs SET text_next_at = ${nowPlus(LEASE)} WHERE ${holdsClaim(claim)} RETURNING id`,
  );
  return rows.length === 1;
}

/** Releases a claim for `delay` milliseconds without counting the attempt. */
export const releaseText = (db: Database, claim: Claim, delay = 0): Promise<unknown> =>
  db.query(sql`UPDATE blobs SET text_attempts = text_attempts - 1, text_leased = false, text_next_at = ${nowPlus(delay)}
    WHERE ${holdsClaim(claim)}`);

/** Releases a claim after partial progress: other content of the organization comes first. */
export const yieldText = (db: Database, claim: Claim): Promise<unknown> =>
  db.query(sql`UPDATE blobs SET text_attempts = 0, text_turns = text_turns + 1, text_leased = false,
    text_next_at = now() WHERE ${holdsClaim(claim)}`);

/** Adds milliseconds to the reading time of an organization, which decides which one is next. */
export const chargeReading = (
  db: Database,
  { organizationId, step }: Pick<Claim, 'organizationId' | 'step'>,
  ms: number,
): Promise<unknown> =>
  db.query(sql`INSERT INTO text_usage AS u (organization_id, step, spent, spent_at)
    SELECT id, ${step}::text_step, ${ms}, now() FROM organizations WHERE id = ${organizationId}
    ON CONFLICT (organization_id, step)
    DO UPDATE SET spent = u.spent * ${decay(sql`u.spent_at`)} + excluded.spent, spent_at = now()`);
