import { addressChange, addressUndo, invitation, passwordReset } from './link-races.ts';
import type { AccountRace } from './scene.ts';
import { passkeyChallenge, pendingSignIn, recoveryCode, totpCode } from './sign-in-races.ts';

export const ACCOUNT_RACES: Record<string, AccountRace> = {
  recoveryCode,
  totpCode,
  pendingSignIn,
  passkeyChallenge,
  addressChange,
  addressUndo,
  passwordReset,
  invitation,
};
