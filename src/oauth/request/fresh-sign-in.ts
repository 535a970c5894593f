import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { signedUrlSecrets } from '../../domain/keys/signing-key.ts';
import { MINUTE } from '../../lib/time.ts';

/** Appended to the query of an authorization request whose user was sent to sign in again: when, and a MAC of both. */
const PARAMETER = 'signed_in_after';

const SUFFIX = new RegExp(`&${PARAMETER}=(\\d{13})\\.([\\w-]{43})$`);

/** How long after it was sent a request may be answered, in ms. */
const VALIDITY = 10 * MINUTE;

/** The query as the application sent it. */
export const withoutMark = (query: string): string => query.replace(SUFFIX, '');

const macOf = (secret: Uint8Array, time: string, query: string): Buffer =>
  createHmac('sha256', secret).update(`signed in after\n${time}\n${query}`).digest();

/** The query with a mark of the time, so that the sign-in that follows is recognised as new. */
export async function withMark(db: Database, marked: string, now: Date): Promise<string> {
  const query = withoutMark(marked);
  const [secret] = await signedUrlSecrets(db);
  const time = String(now.getTime());
  return `${query}&${PARAMETER}=${time}.${macOf(secret, time, query).toString('base64url')}`;
}

/** When the user was sent to sign in for this request; undefined without a mark of ours that is still valid. */
export async function markedTime(db: Database, marked: string, now: Date): Promise<Date | undefined> {
  const [, time, mac] = SUFFIX.exec(marked) ?? [];
  if (!time || !mac || Number(time) < now.getTime() - VALIDITY) return undefined;
  const presented = Buffer.from(mac, 'base64url');
  const secrets = await signedUrlSecrets(db);
  const isOurs = secrets.some((secret) =>
    timingSafeEqual(macOf(secret, time, withoutMark(marked)), presented),
  );
  return isOurs ? new Date(Number(time)) : undefined;
}
