import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { tables } from '../kernel/tables.ts';

/** How long a user who opened the request in time may take to sign in and decide, in ms. */
const DECISION_TIME = 10 * MINUTE;

/** How long the same submission gets the same response again, in ms, for a double click on a slow connection. */
export const RESUBMIT_WINDOW = 30 * SECOND;

/** Condition on pushed requests: can still be answered. */
const isAnswerable = (requests: Rows<'pushed_requests'>): Sql => sql`(${requests}.used_at IS NULL
  AND coalesce(${requests}.opened_at + make_interval(secs => ${DECISION_TIME / SECOND}), ${requests}.expires_at) > now())`;

/** Stores the parameters of an authorization request for `lifetime` ms. Returns the secret of its request_uri (RFC 9126 §2.2). */
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

/** `endReason`: why the request can no longer be answered, if so. */
export interface PushedParameters {
  parameters: string;
  endReason?: 'answered' | 'expired';
}

/**
 * The parameters of a client's own pushed request, any number of times (RFC 9126 §4); also after its end, until it is
 * deleted. Undefined if there is none.
 */
export async function openRequest(
  reader: Reader,
  clientId: string,
  secret: string,
): Promise<PushedParameters | undefined> {
  const isOwnRequest = sql`p.secret_hash = ${hashSecret(secret)} AND p.client_id = ${clientId}`;
  const [open] = await reader.query<{ parameters: string }>(sql`
    UPDATE ${tables.pushedRequests.from} SET opened_at = coalesce(p.opened_at, now()) WHERE ${isOwnRequest} AND ${isAnswerable(tables.pushedRequests)}
    RETURNING p.parameters`);
  if (open) return open;
  const [ended] = await reader.query<Required<PushedParameters>>(sql`
    SELECT p.parameters, CASE WHEN p.used_at IS NULL THEN 'expired' ELSE 'answered' END AS end_reason
    FROM ${tables.pushedRequests.from} WHERE ${isOwnRequest}`);
  return ended;
}

/**
 * Whether this submission may answer the request: the first one may, and the same one again within RESUBMIT_WINDOW.
 * `submission` is a secret that identifies the submission.
 */
export async function claimRequest(reader: Reader, secret: string, submission: string): Promise<boolean> {
  const submissionHash = hashSecret(submission);
  const rows = await reader.query(sql`
    UPDATE ${tables.pushedRequests.from} SET used_at = coalesce(p.used_at, now()), answered_by = ${submissionHash}
    WHERE p.secret_hash = ${hashSecret(secret)}
    AND (${isAnswerable(tables.pushedRequests)} OR (p.answered_by = ${submissionHash} AND p.used_at > ${nowPlus(-RESUBMIT_WINDOW)}))
    RETURNING 1 AS claimed`);
  return rows.length === 1;
}
