import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { hashSecret } from '../../lib/secret.ts';
import { visibleGrants } from '../access/access-credential.ts';
import { signInProvedSecondFactor } from '../access/credential-issue.ts';
import { isClosedEverywhere, isUnrevoked } from '../kernel/application-policy.ts';
import type { Context } from '../kernel/context.ts';
import { type ApplicationScope, includes, SCOPES } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import { recordSecurityEvents } from '../users/security-event.ts';
import type { Client } from './client.ts';
import { type GrantLimit, setGrantLimit } from './grant-limit.ts';
import { claimRequest, RESUBMIT_WINDOW } from './pushed-request.ts';
import { resourceServersOf } from './resource-server.ts';

/** Maximum number of unredeemed codes of one grant; beyond it the oldest are deleted. */
const MAX_UNREDEEMED_CODES = 20;

export interface Approval {
  client: Pick<Client, 'id' | 'name'>;
  scopes: ApplicationScope[];
  redirectUri: string;
  /** Of the tokens: URIs of resource servers, or OWN_API; empty for this API alone. */
  audience: string[];
  /** SHA-256 of the verifier in base64url (RFC 7636 §4.2); null for a confidential client that sent none. */
  codeChallenge: string | null;
  /** Secret of the pushed request, if the client pushed it. */
  pushed?: string;
  /** The only codes that this submission may get, in the order of their use. */
  codes: readonly [string, ...string[]];
  /** What the user limits the application to; null for all that they see. Undefined leaves that as it is. */
  limitedTo?: GrantLimit | null;
  ipAddress: string | null;
  /** For OpenID Connect: the sign-in of the user who allows it, and the application's nonce. */
  signIn?: { id: string; authTime: Date; nonce: string | undefined };
}

/**
 * `answered`: the request was answered earlier and its codes are used. `not_allowed`: the user has to be asked. `closed`: no
 * organization of the user lets the application act there.
 */
export type ApprovalResult = { code: string } | { refused: 'answered' | 'not_allowed' | 'closed' };

/**
 * Records that the user allows the application to act for them, and issues a code for one use within `lifetime` ms
 * (RFC 6749 §4.1.2). The same submission gets the same code until it is redeemed. Throws BAD_USER_INPUT and NOT_FOUND for the limit.
 */
export const approve = (ctx: Context, approval: Approval, lifetime: number): Promise<ApprovalResult> =>
  issueCode(ctx, approval, lifetime, consentToGrant);

/**
 * Issues a code without asking the user: `not_allowed` unless a live grant covers all scopes, and no organization has revoked
 * the application since the user was asked. Records no event.
 */
export const reauthorize = (ctx: Context, approval: Approval, lifetime: number): Promise<ApprovalResult> =>
  issueCode(ctx, approval, lifetime, (tx) => lockCoveringGrant(tx, ctx, approval, isRevokedNowhere));

/** On grants: no organization of the user has revoked the application since they were asked. */
const isRevokedNowhere = (
  grants: Rows<'grants'>,
): Sql => sql`NOT EXISTS (SELECT FROM ${tables.organizationApplications.from}
  JOIN memberships m ON m.organization_id = x.organization_id AND m.user_id = ${grants}.user_id
  WHERE x.client_id = ${grants}.client_id AND NOT ${isUnrevoked(tables.organizationApplications, sql`${grants}.consented_at`)})`;

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
    if (isNew && (await isClosed(tx, ctx, approval))) return { refused: 'closed' };
    const grantId = isNew ? await findGrant(tx, ctx, approval) : undefined;
    if (isNew && grantId === undefined) return { refused: 'not_allowed' };
    if (pushed && !(await claimRequest(tx, pushed, codes[0]))) throw new AlreadyAnsweredError();
    if (grantId !== undefined) await addCode(tx, ctx, grantId, { ...approval, code, lifetime });
    return { code };
  }).catch((error): ApprovalResult => {
    if (error instanceof AlreadyAnsweredError) return { refused: 'answered' };
    throw error;
  });
}

async function isClosed(tx: Transaction, { viewer }: Context, { client }: Approval): Promise<boolean> {
  const [read] = await tx.query<{ closed: boolean }>(
    sql`SELECT ${isClosedEverywhere(sql`${viewer.userId}`, sql`${client.id}`, sql`'infinity'::timestamptz`)} AS closed`,
  );
  return read?.closed === true;
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
    FROM authorization_codes c JOIN ${tables.grants.from} ON g.id = c.grant_id
    WHERE c.secret_hash = ANY(${codes.map(hashSecret)}::bytea[]) ORDER BY c.created_at`);
  if (issued.length === 0) return { code: codes[0], isNew: true };
  if (!issued.every(({ recent }) => recent)) return { code: undefined, isNew: false };
  return issued.at(-1)?.unused
    ? { code: codes[issued.length - 1], isNew: false }
    : { code: codes[issued.length], isNew: true };
}

const READS = SCOPES.filter((scope) => includes(['read'], scope));
const WRITES = SCOPES.filter((scope) => includes(['write'], scope));

/** Stored scopes together with all that they include. */
const grantedBy = (scopes: Sql): Sql => sql`(${scopes}
  || CASE WHEN 'read' = ANY(${scopes}) THEN ${sql.texts(READS)}::scope[] ELSE '{}' END
  || CASE WHEN 'write' = ANY(${scopes}) THEN ${sql.texts(WRITES)}::scope[] ELSE '{}' END)`;

const coversApproval = (ctx: Context, approval: Approval, grants: Rows<'grants'>): Sql =>
  sql`${grants}.client_id = ${approval.client.id} AND ${grantedBy(sql`${grants}.scopes`)} @> ${sql.texts(approval.scopes)}::scope[]
    AND ${grants}.resources @> ${sql.texts(resourceServersOf(approval.audience))} AND ${visibleGrants(ctx.viewer, grants)}`;

/** Locks the grant, so that ending its last family and issuing a code see each other. */
async function lockCoveringGrant(
  tx: Transaction,
  ctx: Context,
  approval: Approval,
  condition?: (grants: Rows<'grants'>) => Sql,
): Promise<string | undefined> {
  const { grants } = tables;
  const [grant] = await tx.query<{ id: string }>(sql`SELECT ${grants}.id FROM ${grants.from}
    WHERE ${sql.all([coversApproval(ctx, approval, grants), condition?.(grants)])} FOR NO KEY UPDATE`);
  return grant?.id;
}

async function consentToGrant(tx: Transaction, ctx: Context, approval: Approval): Promise<string> {
  const grantId = await widenGrant(tx, ctx, approval);
  await tx.query(sql`UPDATE grants SET consented_at = clock_timestamp() WHERE id = ${grantId}`);
  const { client, limitedTo, ipAddress } = approval;
  if (limitedTo !== undefined) await setGrantLimit(tx, ctx, { grantId, client, limitedTo, ipAddress });
  return grantId;
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
    VALUES (${newId('Grant')}, ${client.id}, ${userId}, ${sql.texts(scopes)}::scope[], ${sql.texts(resources)})
    ON CONFLICT (client_id, user_id) WHERE revoked_at IS NULL
    DO UPDATE SET scopes = ARRAY(SELECT unnest(g.scopes) UNION SELECT unnest(excluded.scopes) ORDER BY 1),
      resources = ARRAY(SELECT unnest(g.resources) UNION SELECT unnest(excluded.resources) ORDER BY 1)
    WHERE NOT (${grantedBy(sql`g.scopes`)} @> excluded.scopes AND g.resources @> excluded.resources) RETURNING g.id`);
  if (!grant) return undefined;
  const data = { clientId: client.id, clientName: client.name, scopes, resources };
  await recordSecurityEvents(tx, [{ userId, kind: 'authorization.granted', data, ipAddress }]);
  return grant.id;
}

type NewCode = Approval & { code: string; lifetime: number };

async function addCode(
  tx: Transaction,
  { viewer: { credentialId } }: Context,
  grantId: string,
  approval: NewCode,
): Promise<void> {
  const { code, scopes, audience, redirectUri, codeChallenge, lifetime, signIn } = approval;
  await tx.query(sql`
    INSERT INTO authorization_codes (secret_hash, grant_id, scopes, audience, redirect_uri, code_challenge, expires_at,
      sign_in_id, auth_time, nonce, second_factor)
    VALUES (${hashSecret(code)}, ${grantId}, ${sql.texts(scopes)}::scope[], ${sql.texts(audience)},
      ${redirectUri}, ${codeChallenge}, ${nowPlus(lifetime)},
      ${signIn?.id ?? null}, ${signIn?.authTime ?? null}, ${signIn?.nonce ?? null}, ${signInProvedSecondFactor(credentialId)})`);
  await tx.query(sql`DELETE FROM authorization_codes WHERE secret_hash IN (
    SELECT c.secret_hash FROM authorization_codes c WHERE c.grant_id = ${grantId} AND c.used_at IS NULL
    ORDER BY c.created_at DESC, c.secret_hash OFFSET ${MAX_UNREDEEMED_CODES})`);
}
