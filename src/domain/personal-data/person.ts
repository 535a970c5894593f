import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { notFound } from '../kernel/errors.ts';
import type { Person } from './holding.ts';

/** An account, and how far its erasure is. */
export interface PersonState extends Person {
  /** The address before the erasure began. */
  email: string;
  erasedAt: Date | null;
  /** An erasure has begun, and rows that hold the address are left. */
  isErasing: boolean;
}

/** The account with this id. Throws NOT_FOUND. */
export async function findPerson({ query }: Reader, userId: string): Promise<PersonState> {
  const [person] =
    await query<PersonState>(sql`SELECT u.id AS user_id, coalesce(u.former_email, u.email) AS email, u.erased_at,
      u.former_email IS NOT NULL AS is_erasing,
      CASE WHEN u.email_verified_at IS NOT NULL THEN coalesce(u.former_email, u.email) END AS address
    FROM users u WHERE u.id = ${userId}`);
  if (!person) throw notFound('User');
  return person;
}

/** The id of the account with an address. Throws NOT_FOUND. */
export async function accountWithAddress({ query }: Reader, email: string): Promise<string> {
  const [user] = await query<{ id: string }>(sql`SELECT u.id FROM users u WHERE u.email = ${email}`);
  if (!user) throw notFound('User');
  return user.id;
}

/** The id of the account that had an address when its erasure was interrupted. */
export async function interruptedErasure({ query }: Reader, email: string): Promise<string | undefined> {
  const [user] = await query<{ id: string }>(sql`SELECT u.id FROM users u WHERE u.former_email = ${email}`);
  return user?.id;
}

/** The address of an erased account: nobody has it, and no mail is sent to it (RFC 2606 §2). */
export const erasedEmail = (userId: string): string => `erased-${userId}@erased.invalid`;

export const ERASED_NAME = 'Erased person';
