import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ExternalIdentity } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { recordSecurityEvents } from '../users/security-event.ts';
import type { ProviderSubject } from './sign-up-link.ts';

export type Identity = Pick<ExternalIdentity, 'id' | 'issuer' | 'email' | 'createdAt' | 'lastUsedAt'>;

/** The identities with which a person signs in to their account, oldest first. */
export const identitiesOf = ({ query }: Reader, userId: string): Promise<Identity[]> =>
  query<Identity>(sql`SELECT x.id, x.issuer, x.email, x.created_at, x.last_used_at FROM external_identities x
    WHERE x.user_id = ${userId} ORDER BY x.id`);

/**
 * The account of an identity, and whether it is disabled; undefined without one. An identity is issuer and subject, never an
 * address (OpenID Connect Core 1.0 §5.7). Notes its use.
 */
export async function useIdentity(
  tx: Transaction,
  { issuer, subject }: ProviderSubject,
  email: string | null,
): Promise<{ userId: string; isDisabled: boolean } | undefined> {
  const [found] = await tx.query<{ userId: string; isDisabled: boolean }>(sql`UPDATE external_identities x
    SET last_used_at = now(), email = coalesce(${email}, x.email) FROM users u
    WHERE x.issuer = ${issuer} AND x.subject = ${subject} AND u.id = x.user_id
    RETURNING x.user_id, u.disabled_at IS NOT NULL AS is_disabled`);
  return found;
}

export interface NewIdentity extends ProviderSubject {
  userId: string;
  /** As the provider calls it. */
  email: string | null;
  ipAddress: string | null;
}

/** Connects an identity to an account, and tells its owner by mail. False if it belongs to an account already. */
export async function linkIdentity(
  tx: Transaction,
  { userId, issuer, subject, email, ipAddress }: NewIdentity,
): Promise<boolean> {
  const row = { id: newId('ExternalIdentity'), userId, issuer, subject, email };
  const { count } = await tx.prisma.externalIdentity.createMany({ data: [row], skipDuplicates: true });
  if (count > 0) await recordIdentityChange(tx, { userId, kind: 'identity.linked', issuer, ipAddress });
  return count > 0;
}

export type IdentityChangeKind = 'identity.linked' | 'identity.unlinked';

interface IdentityChange {
  userId: string;
  kind: IdentityChangeKind;
  issuer: string;
  ipAddress: string | null;
}

async function recordIdentityChange(
  tx: Transaction,
  { userId, kind, issuer, ipAddress }: IdentityChange,
): Promise<void> {
  const { email: to } = await tx.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  await recordSecurityEvents(tx, [{ userId, kind, data: { issuer }, ipAddress }]);
  const mail = { kind: 'IDENTITY_CHANGED', to, toUserId: userId, organizationId: null } as const;
  await queueMails(tx, [{ ...mail, data: { kind, issuer, ipAddress } }]);
}

export type UnlinkResult = 'unlinked' | 'missing' | 'lastWayIn';

/** Disconnects an identity of an account, unless it is its only way to sign in. */
export async function unlinkIdentity(
  tx: Transaction,
  { id, userId, ipAddress }: { id: string; userId: string; ipAddress: string | null },
): Promise<UnlinkResult> {
  // Two identities that are disconnected at once take turns.
  const [user] = await tx.query<{ hasOtherWay: boolean }>(sql`SELECT u.password_hash IS NOT NULL
      OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id) AS has_other_way
    FROM users u WHERE u.id = ${userId} FOR UPDATE OF u`);
  const identities = await identitiesOf(tx, userId);
  const identity = identities.find((each) => each.id === id);
  if (!identity) return 'missing';
  if (!user?.hasOtherWay && identities.length === 1) return 'lastWayIn';
  await tx.prisma.externalIdentity.deleteMany({ where: { id, userId } });
  const { issuer } = identity;
  await recordIdentityChange(tx, { userId, kind: 'identity.unlinked', issuer, ipAddress });
  return 'unlinked';
}
