import type { Database, Reader } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { hashSecret, newSecret } from '../lib/secret.ts';
import { fromNow, MINUTE, SECOND } from '../lib/time.ts';

/** How long someone who came in time may take to sign in and decide. */
const OPEN = 10 * MINUTE;

/** On pushed requests as `p`: those that can still be answered. */
const answerable = sql`(p.used_at IS NULL
  AND coalesce(p.opened_at + make_interval(secs => ${OPEN / SECOND}), p.expires_at) > now())`;

/** Keeps the parameters of an authorization request for `lifetime` ms. Gives what names them (RFC 9126 §2.2). */
export async function pushRequest(
  { prisma }: Database,
  clientId: string,
  parameters: string,
  lifetime: number,
): Promise<string> {
  const secret = newSecret('dgp_');
  const data = { secretHash: hashSecret(secret), clientId, parameters, expiresAt: fromNow(lifetime) };
  await prisma.pushedRequest.create({ data });
  return secret;
}

/** The parameters, as often as they are asked for until the request is answered (RFC 9126 §4); of its own client alone. */
export async function openRequest(
  reader: Reader,
  clientId: string,
  secret: string,
): Promise<string | undefined> {
  const [found] = await reader.query<{ parameters: string }>(sql`
    UPDATE pushed_requests p SET opened_at = coalesce(p.opened_at, now())
    WHERE p.secret_hash = ${hashSecret(secret)} AND p.client_id = ${clientId} AND ${answerable}
    RETURNING p.parameters`);
  return found?.parameters;
}

/** Whether it was this call that answered the request. */
export async function claimRequest(reader: Reader, secret: string): Promise<boolean> {
  const rows = await reader.query(sql`
    UPDATE pushed_requests p SET used_at = now()
    WHERE p.secret_hash = ${hashSecret(secret)} AND ${answerable} RETURNING 1 AS claimed`);
  return rows.length === 1;
}
