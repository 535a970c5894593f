import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Scope } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { hashSecret } from '../../lib/secret.ts';
import { visibleGrants } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import { recordSecurityEvents } from '../users/security-event.ts';
import type { Client } from './client.ts';
import { claimRequest, RESUBMIT } from './pushed-request.ts';
import { resourcesOf } from './resource-server.ts';

/** Codes of one grant that wait for their redemption; the oldest give way. */
const UNREDEEMED_MAX = 20;

export interface Approval {
  client: Pick<Client, 'id' | 'name'>;
  scopes: Scope[];
  redirectUri: string;
  /** What the tokens may be for: URIs of resource servers, or this API; empty for this API alone. */
  audience: string[];
  /** SHA-256 of the verifier, base64url (RFC 7636 §4.2); null for a confidential client that sent none. */
  codeChallenge: string | null;
  /** Secret name of the request, where its client pushed it. */
  pushed?: string;
  /** The codes that this submission, and nothing else, may be answered with, in the order of their use. */
  codes: readonly [string, ...string[]];
  ipAddress: string | null;
}

/** `answered`: earlier, and the code is used up. `not_allowed`: nothing was decided, so the user has to be asked. */
export type ApprovalResult = { code: string } | { refused: 'answered' | 'not_allowed' };

/**
 * The user has decided: the application may act for them. Gives a code for `lifetime` ms and one use (RFC 6749 §4.1.2);
 * the same submission gets the same code until it is redeemed.
 */
export const approve = (ctx: Context, approval: Approval, lifetime: number): Promise<ApprovalResult> =>
  answer(ctx, approval, lifetime, widenGrant);

/** The same without asking: `not_allowed` unless a live grant covers all scopes. Appends no event, as nothing changes. */
export const reauthorize = (ctx: Context, approval: Approval, lifetime: number): Promise<ApprovalResult> =>
  answer(ctx, approval, lifetime, coveringGrant);

type GrantFor = (tx: Transaction, ctx: Context, approval: Approval) => Promise<string | undefined>;

function answer(
  ctx: Context,
  approval: Approval,
  lifetime: number,
  grantFor: GrantFor,
): Promise<ApprovalResult> {
  const { codes, pushed } = approval;
  return inTransaction(ctx.db, async (tx): Promise<ApprovalResult> => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${codes[0]}, 0))::text`);
    const { code, isNew } = await nextCode(tx, codes);
    if (code === undefined) return { refused: 'answered' };
    const grantId = isNew ? await grantFor(tx, ctx, approval) : undefined;
    if (isNew && grantId === undefined) return { refused: 'not_allowed' };
    if (pushed && !(await claimRequest(tx, pushed, codes[0]))) throw new AnsweredAlready();
    if (grantId !== undefined) await addCode(tx, grantId, { ...approval, code, lifetime });
    return { code };
  }).catch((error): ApprovalResult => {
    if (error instanceof AnsweredAlready) return { refused: 'answered' };
    throw error;
  });
}

/** Rolls back the grant that was made for a request which somebody else has answered. */
class AnsweredAlready extends Error {}

interface Issued {
  unused: boolean;
  recent: boolean;
}

/**
 * The newest code of the submission while it is good. A used one was redeemed before the browser left our page: within
 * the window there is another, so that a second click arrives too, and does not replay the first code.
 */
async function nextCode(
  tx: Transaction,
  codes: readonly string[],
): Promise<{ code: string | undefined; isNew: boolean }> {
  const issued = await tx.query<Issued>(sql`
    SELECT c.used_at IS NULL AND c.expires_at > now() AS unused,
      c.created_at > ${nowPlus(-RESUBMIT)} AND c.revoked_at IS NULL AND g.revoked_at IS NULL AS recent
    FROM authorization_codes c JOIN grants g ON g.id = c.grant_id
    WHERE c.secret_hash = ANY(${codes.map(hashSecret)}::bytea[]) ORDER BY c.created_at`);
  if (issued.length === 0) return { code: codes[0], isNew: true };
  if (!issued.every(({ recent }) => recent)) return { code: undefined, isNew: false };
  return issued.at(-1)?.unused
    ? { code: codes[issued.length - 1], isNew: false }
    : { code: codes[issued.length], isNew: true };
}

const covering = (ctx: Context, approval: Approval): Sql =>
  sql`g.client_id = ${approval.client.id} AND g.scopes @> ${approval.scopes}::text[]::scope[]
    AND g.resources @> ${resourcesOf(approval.audience)}::text[] AND ${visibleGrants(ctx.viewer)}`;

/** Locks the grant, so that whoever ends its last family sees the new code, or the code sees the end. */
async function coveringGrant(tx: Transaction, ctx: Context, approval: Approval): Promise<string | undefined> {
  const [grant] = await tx.query<{ id: string }>(
    sql`SELECT g.id FROM grants g WHERE ${covering(ctx, approval)} FOR NO KEY UPDATE`,
  );
  return grant?.id;
}

/** The user's one live grant for the client, made or widened as far as it has to be; only then there is an event. */
const widenGrant = async (tx: Transaction, ctx: Context, approval: Approval): Promise<string> =>
  (await coveringGrant(tx, ctx, approval)) ??
  (await addScopes(tx, ctx, approval)) ??
  widenGrant(tx, ctx, approval);

/** Undefined where another transaction has added the scopes meanwhile. */
async function addScopes(
  tx: Transaction,
  { viewer: { userId } }: Context,
  approval: Approval,
): Promise<string | undefined> {
  const { client, scopes, ipAddress } = approval;
  const resources = resourcesOf(approval.audience);
  const [grant] = await tx.query<{ id: string }>(sql`
    INSERT INTO grants AS g (id, client_id, user_id, scopes, resources)
    VALUES (${newId('Grant')}, ${client.id}, ${userId}, ${scopes}::text[]::scope[], ${resources}::text[])
    ON CONFLICT (client_id, user_id) WHERE revoked_at IS NULL
    DO UPDATE SET scopes = ARRAY(SELECT unnest(g.scopes) UNION SELECT unnest(excluded.scopes) ORDER BY 1),
      resources = ARRAY(SELECT unnest(g.resources) UNION SELECT unnest(excluded.resources) ORDER BY 1)
    WHERE NOT (g.scopes @> excluded.scopes AND g.resources @> excluded.resources) RETURNING g.id`);
  if (!grant) return undefined;
  const data = { clientId: client.id, clientName: client.name, scopes, resources };
  await recordSecurityEvents(tx, [{ userId, kind: 'authorization.granted', data, ipAddress }]);
  return grant.id;
}

type NewCode = Approval & { code: string; lifetime: number };

async function addCode(tx: Transaction, grantId: string, approval: NewCode): Promise<void> {
  const { code, scopes, audience, redirectUri, codeChallenge, lifetime } = approval;
  await tx.query(sql`
    INSERT INTO authorization_codes (secret_hash, grant_id, scopes, audience, redirect_uri, code_challenge, expires_at)
    VALUES (${hashSecret(code)}, ${grantId}, ${scopes}::text[]::scope[], ${audience}::text[],
      ${redirectUri}, ${codeChallenge}, ${nowPlus(lifetime)})`);
  await tx.query(sql`DELETE FROM authorization_codes WHERE secret_hash IN (
    SELECT c.secret_hash FROM authorization_codes c WHERE c.grant_id = ${grantId} AND c.used_at IS NULL
    ORDER BY c.created_at DESC, c.secret_hash OFFSET ${UNREDEEMED_MAX})`);
}
