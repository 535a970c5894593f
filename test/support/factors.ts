import { memoryRateLimiter } from '../../src/auth/rate-limiter.ts';
import type { SecondFactorService } from '../../src/auth/second-factor.ts';
import type { SignInService } from '../../src/auth/sign-in.ts';
import { databaseTime } from '../../src/db/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { addAuthenticatorApp } from '../../src/domain/accounts/authenticator-app.ts';
import { newTotpSeed, totpCode, totpStep } from '../../src/domain/accounts/totp.ts';
import { newId } from '../../src/lib/id.ts';
import { DAY, MINUTE } from '../../src/lib/time.ts';
import { ORIGIN } from './browser.ts';
import { testStorage } from './storage.ts';
import { config, type Person } from './world.ts';

/** What signing in needs, with limits of its own. */
export const signInService = async (db: Database): Promise<SignInService & SecondFactorService> => ({
  db,
  publicUrl: ORIGIN,
  limits: config.limits,
  rateLimiter: memoryRateLimiter({ window: 15 * MINUTE }),
  codeRateLimiter: memoryRateLimiter({ window: 5 * MINUTE }),
  dailyCodeRateLimiter: memoryRateLimiter({ window: DAY }),
  vault: (await testStorage(db)).vault,
});

/** An authenticator app, as a person has it. `code`: that of so many steps from now. */
export interface App {
  seed: Uint8Array;
  recoveryCodes: string[];
  code: (distance?: number) => Promise<string>;
}

export const codesOf =
  (db: Database, seed: Uint8Array) =>
  async (distance = 0) =>
    totpCode(seed, totpStep((await databaseTime(db)).getTime()) + distance);

/** Gives a person an authenticator app, with the code of the step before this. */
export async function withApp(db: Database, { id: userId }: Pick<Person, 'id'>): Promise<App> {
  const { vault } = await testStorage(db);
  const seed = newTotpSeed();
  const code = codesOf(db, seed);
  const app = { userId, ipAddress: null, seed, code: await code(-1), signInId: newId('SignIn') };
  const result = await addAuthenticatorApp(db, vault, app);
  if (!('recoveryCodes' in result)) throw new Error('not added');
  return { seed, code, recoveryCodes: result.recoveryCodes ?? [] };
}
