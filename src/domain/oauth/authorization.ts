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
import { claimRequest, RESUBMIT_WINDOW } from './pushed-request.ts';
import { resourceServersOf } from './resource-server.ts';

/** Maximum number of unredeemed codes of one grant; beyond it the oldest are deleted. */
const MAX_UNREDEEMED_CODES = 20;

export interface Approval {
  client: Pick<Client, 'id' | 'name'>;
  scopes: Scope[];
  redirectUri: string;
  /** Of the tokens: URIs of resource servers, or OWN_API; empty for this API alone. */
  audience: string[];
  /** SHA-256 of the verifier in base64url (RFC 7636 §4.2); null for a confidential client that sent none. */
  codeChallenge: string | null;
  /** Secret of the pushed request, if the client pushed it. */
  pushed?: string;
  /** The only codes that this submission may get, in the order of their use. */
  codes: readonly [string, ...string[]];
  ipAddress: string | null;
}

/** `answered`: the request was answered earlier and its codes are used. `not_allowed`: the user has to be asked. */
export type ApprovalResult = { code: string } | { refused: 'answered' | 'not_allowed' };

/**
 * Records that the user allows the application to act for them, and issues a code for one use within `lifetime` ms
 * (RFC 6749 §4.1.2). The same submission gets the same code until it is redeemed.
 */
export const approve = (ctx: Context, approval: Approval, lifetime: number): Promise<ApprovalResult> =>
  issueCode(ctx, approval, lifetime, widenGrant);

/** Issues a code without asking the user: `not_allowed` unless a live grant covers all scopes. Records no event. */
export const reauthorize = (ctx: Context, approval: Approval, lifetime: number): Promise<ApprovalResult> =>
  issueCode(ctx, approval, lifetime, lockCoveringGrant);

type FindGrant = (tx: Transaction, ctx: Context, approval: Approval) => Promise<string | undefined>;

function issueCode(
  ctx: Context,
  approval: Approval,
  lifetime: number,
  findGrant: FindGrant,
): Promise<ApprovalResult> {
  const { codes, pushed } = approval;
  return inTransaction(ctx.db, async (tx): Promise<ApprovalResult> => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${codes[0]}, 0))::text`);
    const { code, isNew } = await nextCode(tx, codes);
    if (code === undefined) return { refused: 'answered' };
    const grantId = isNew ? await findGrant(tx, ctx, approval) : undefined;
    if (isNew && grantId === undefined) return { refused: 'not_allowed' };
    if (pushed && !(await claimRequest(tx, pushed, codes[0]))) throw new AlreadyAnsweredError();
    if (grantId !== undefined) await addCode(tx, grantId, { ...approval, code, lifetime });
    return { code };
  }).catch((error): ApprovalResult => {
    if (error instanceof AlreadyAnsweredError) return { refused: 'answered' };
    throw error;
  });
}

/** Rolls back the grant that was created for a request which another submission has answered. */
class AlreadyAnsweredError extends Error {}

interface IssuedCode {
  unused: boolean;
  recent: boolean;
}

/**
 * The newest code of the submission, if unused. If the application has already redeemed it, a second click within the
 * window gets the next code, so that it does not replay the first one.
 */
async function nextCode(
  tx: Transaction,
  codes: readonly string[],
): Promise<{ code: string | undefined; isNew: boolean }> {
  const issued = await tx.query<IssuedCode>(sql`
    SELECT c.used_at IS NULL AND c.expires_at > now() AS unused,
      c.created_at > ${nowPlus(-RESUBMIT_WINDOW)} AND c.revoked_at IS NULL AND g.revoked_at IS NULL AS recent
    FROM authorization_codes c JOIN grants g ON g.id = c.grant_id
    WHERE c.secret_hash = ANY(${codes.map(hashSecret)}::bytea[]) ORDER BY c.created_at`);
  if (issued.length === 0) return { code: codes[0], isNew: true };
  if (!issued.every(({ recent }) => recent)) return { code: undefined, isNew: false };
  return issued.at(-1)?.unused
    ? { code: codes[issued.length - 1], isNew: false }
    : { code: codes[issued.length], isNew: true };
}

const coversApproval = (ctx: Context, approval: Approval): Sql =>
  sql`g.client_id = ${approval.client.id} AND g.scopes @> ${approval.scopes}::text[]::scope[]
    AND g.resources @> ${resourceServersOf(approval.audience)}::text[] AND ${visibleGrants(ctx.viewer)}`;

/** Locks the grant, so that ending its last family and issuing a code see each other. */
async function lockCoveringGrant(
  tx: Transaction,
  ctx: Context,
  approval: Approval,
): Promise<string | undefined> {
  const [grant] = await tx.query<{ id: string }>(
    sql`SELECT g.id FROM grants g WHERE ${coversApproval(ctx, approval)} FOR NO KEY UPDATE`,
  );
  return grant?.id;
}

/** The user's one live grant for the client, created or widened if necessary; only then there is a security event. */
const widenGrant = async (tx: Transaction, ctx: Context, approval: Approval): Promise<string> =>
  (await lockCoveringGrant(tx, ctx, approval)) ??
  (await addScopes(tx, ctx, approval)) ??
  widenGrant(tx, ctx, approval);

/** Undefined if another transaction has added the scopes meanwhile. */
async function addScopes(
  tx: Transaction,
  { viewer: { userId } }: Context,
  approval: Approval,
): Promise<string | undefined> {
  const { client, scopes, ipAddress } = approval;
  const resources = resourceServersOf(approval.audience);
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
    ORDER BY c.created_at DESC, c.secret_hash OFFSET ${MAX_UNREDEEMED_CODES})`);
}
