import { z } from 'zod';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { dayIn, isTimeZone } from '../../lib/local-time.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Signing } from './signing.ts';

/** The time zone that a signer is in, as they say. */
export const timeZoneInput = z
  .string()
  .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
  .nullish();

/** The time zone of the signer's account, if they have one and chose another zone than UTC there. */
export async function accountTimeZone(
  reader: Reader,
  viewer: Viewer,
  { id }: Pick<Signing, 'id'>,
): Promise<string | null> {
  const [user] = await reader.query<{ timeZone: string }>(sql`SELECT u.time_zone FROM users u
    WHERE u.id = coalesce(nullif(${viewer.userId}, ''),
      (SELECT r.user_id FROM signature_recipients r WHERE r.id = ${id})) AND u.time_zone <> 'UTC'`);
  return user?.timeZone ?? null;
}

/** The day (ISO 8601) that is written for a signer; in UTC where no zone is known. */
export const dayOfSigning = (at: Date, timeZone: string | null): string => dayIn(timeZone ?? 'UTC', at);
