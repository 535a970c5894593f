import type { Passkey, SignIn } from '../../generated/prisma/client.ts';
import { closedOrganizations } from '../access/access-second-factor.ts';
import { freshUntil } from '../access/fresh-proof.ts';
import { pendingEmailOf } from '../accounts/email-change.ts';
import { type Identity, identitiesOf } from '../accounts/external-identity.ts';
import { passkeysOf } from '../accounts/passkey.ts';
import { programOf } from '../accounts/program.ts';
import { hasSecondFactor, secondFactorsOf } from '../accounts/second-factors.ts';
import { setNewSignInMails, signInsOf } from '../accounts/sign-in-list.ts';
import type { Context } from '../kernel/context.ts';
import { ownSessionOf } from './own-session.ts';

export type OwnSignIn = Pick<SignIn, 'id' | 'ipAddress' | 'createdAt' | 'lastUsedAt' | 'expiresAt'> & {
  program: string;
  isCurrent: boolean;
};

export type OwnPasskey = Pick<Passkey, 'id' | 'name' | 'relyingPartyId' | 'createdAt' | 'lastUsedAt'>;

/** An account, as the pages at `/account` show it to its owner. */
export interface OwnAccount {
  hasPassword: boolean;
  pendingEmail: string | null;
  newSignInMails: boolean;
  hasAuthenticatorApp: boolean;
  recoveryCodesLeft: number;
  /** Until when sensitive changes need no further proof; null if they need one now. */
  provedUntil: Date | null;
  /** Names of organizations that need a second factor, which the account lacks. */
  closedOrganizations: string[];
  signIns: OwnSignIn[];
  passkeys: OwnPasskey[];
  identities: Identity[];
}

/** The account of who is signed in. Throws FORBIDDEN unless in a browser session. */
export async function findOwnAccount(ctx: Context): Promise<OwnAccount> {
  const { db, viewer } = ownSessionOf(ctx);
  const { userId, credentialId } = viewer;
  const user = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const factors = await secondFactorsOf(db, userId);
  const signIns = await signInsOf(db, userId);
  return {
    hasPassword: user.passwordHash !== null,
    newSignInMails: user.newSignInMails,
    pendingEmail: (await pendingEmailOf(db, userId)) ?? null,
    hasAuthenticatorApp: factors.hasAuthenticatorApp,
    recoveryCodesLeft: factors.recoveryCodes,
    provedUntil: (await freshUntil(db, credentialId)) ?? null,
    closedOrganizations: hasSecondFactor(factors) ? [] : await closedOrganizations(db, userId),
    signIns: signIns.map(({ id, userAgent, ipAddress, createdAt, lastUsedAt, expiresAt }) => ({
      ...{ id, ipAddress, createdAt, lastUsedAt, expiresAt },
      program: programOf(userAgent),
      isCurrent: id === credentialId,
    })),
    passkeys: await passkeysOf(db, userId),
    identities: await identitiesOf(db, userId),
  };
}

/** Changes the settings that are given. Throws FORBIDDEN unless in a browser session. */
export async function updateAccount(
  ctx: Context,
  { newSignInMails }: { newSignInMails?: boolean | null },
): Promise<void> {
  const { db, viewer } = ownSessionOf(ctx);
  if (typeof newSignInMails === 'boolean') await setNewSignInMails(db, viewer.userId, newSignInMails);
}
