import type { Logger } from 'pino';
import { relyingPartyIdOf } from '../auth/passkey.ts';
import type { Database } from '../db/database.ts';
import { passkeysOfOtherHosts } from '../domain/accounts/passkey.ts';

/** Warns of passkeys that belong to another host than that of PUBLIC_URL, as browsers do not offer them here. */
export async function warnOfForeignPasskeys(db: Database, publicUrl: string, log: Logger): Promise<void> {
  const host = relyingPartyIdOf(publicUrl);
  const { passkeys, accounts, hosts } = await passkeysOfOtherHosts(db, host);
  if (passkeys === 0) return;
  log.warn(
    { passkeys, accounts, hosts, publicUrl },
    `${passkeys} passkeys of ${accounts} accounts belong to ${hosts.slice(0, 3).join(', ')} and do not work at ${host}: set PUBLIC_URL back, or have their owners sign in in another way (docs/accounts.md).`,
  );
}
