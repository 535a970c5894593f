import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { hashSecret } from '../../lib/secret.ts';
import { DAY } from '../../lib/time.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { programOf } from './program.ts';

/** How long a device is remembered, by its secret or by its program and network. */
const MEMORY = 90 * DAY;

export interface Device {
  userId: string;
  /** Secret that the browser keeps; undefined if it has none. */
  device: string | undefined;
  ipAddress: string;
  userAgent: string;
}

/**
 * Tells the owner of an account by mail of a sign-in, which is about to begin, with a device that has not signed in before.
 * Nobody is notified of their first sign-in, or after they have switched it off.
 */
export async function tellOfNewDevice(tx: Transaction, { userId, device, ...origin }: Device): Promise<void> {
  const { ipAddress, userAgent } = origin;
  const deviceHash = device === undefined ? null : hashSecret(device);
  const program = programOf(userAgent);
  const { newSignInMails, email } = await tx.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  if (!newSignInMails) return;
  const earlier = await tx.query<{ userAgent: string; isSame: boolean; ipAddress: string }>(sql`
    SELECT DISTINCT s.user_agent, s.ip_address, coalesce(s.device_hash = ${deviceHash}, false) AS is_same FROM sign_ins s
    WHERE s.user_id = ${userId} AND s.created_at > ${nowPlus(-MEMORY)}`);
  const isFamiliar = earlier.some(
    (each) => each.isSame || (each.ipAddress === ipAddress && programOf(each.userAgent) === program),
  );
  if (earlier.length === 0 || isFamiliar) return;
  const mail = { kind: 'NEW_SIGN_IN', to: email, toUserId: userId, organizationId: null } as const;
  await queueMails(tx, [{ ...mail, data: { program, ipAddress } }]);
}
