import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';

/** How long someone who came in time may take to sign in and decide. */
const OPEN = 10 * MINUTE;

/** How long the same submission is answered again after its first answer, in ms: a double click on a slow line. */
export const RESUBMIT = 30 * SECOND;

/** On pushed requests as `p`: those that can still be answered. */
const answerable = sql`(p.used_at IS NULL
  AND coalesce(p.opened_at + make_interval(secs => ${OPEN / SECOND}), p.expires_at) > now())`;

/** Keeps the parameters of an authorization request for `lifetime` ms. Gives what names them (RFC 9126 §2.2). */
export async function pushRequest(
  db: Database,
  clientId: string,
  parameters: string,
  lifetime: number,
): Promise<string> {
  const secret = newSecret('dgp_');
  await db.query(sql`INSERT INTO pushed_requests (secret_hash, client_id, parameters, expires_at)
    VALUES (${hashSecret(secret)}, ${clientId}, ${parameters}, ${nowPlus(lifetime)})`);
  return secret;
}

/** The parameters of a pushed request; `ended`: why it can no longer be answered. */
export interface PushedParameters {
  parameters: string;
  ended?: 'answered' | 'expired';
}

/** As often as they are asked for (RFC 9126 §4), also after the end until the request is swept; for its own client alone. */
export async function openRequest(
  reader: Reader,
  clientId: string,
  secret: string,
): Promise<PushedParameters | undefined> {
  const mine = sql`p.secret_hash = ${hashSecret(secret)} AND p.client_id = ${clientId}`;
  const [open] = await reader.query<{ parameters: string }>(sql`
    UPDATE pushed_requests p SET opened_at = coalesce(p.opened_at, now()) WHERE ${mine} AND ${answerable}
    RETURNING p.parameters`);
  if (open) return open;
  const [ended] = await reader.query<Required<PushedParameters>>(sql`
    SELECT p.parameters, CASE WHEN p.used_at IS NULL THEN 'expired' ELSE 'answered' END AS ended
    FROM pushed_requests p WHERE ${mine}`);
  return ended;
}

/**
 * Whether this submission answers the request: the first one does, and the same one again for as long as a double click
 * may take. `submission` is a secret that only the same submission has.
 */
export async function claimRequest(reader: Reader, secret: string, submission: string): Promise<boolean> {
  const by = hashSecret(submission);
  const rows = await reader.query(sql`
    UPDATE pushed_requests p SET used_at = coalesce(p.used_at, now()), answered_by = ${by}
    WHERE p.secret_hash = ${hashSecret(secret)}
    AND (${answerable} OR (p.answered_by = ${by} AND p.used_at > ${nowPlus(-RESUBMIT)}))
    RETURNING 1 AS claimed`);
  return rows.length === 1;
}
