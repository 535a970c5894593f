import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';

/** What an account has in the database, by name. `unused`: what can still be used once. */
export type Trace =
  | 'account'
  | 'membership'
  | 'sign-in'
  | 'live sign-in'
  | 'unused pending sign-in'
  | 'unused recovery code'
  | 'password link'
  | `event ${string}`
  | `mail ${string}`;

export type Traces = ReadonlyMap<string, number>;

/** Counts what the accounts with these addresses have; mails to the addresses count without an account too. */
export async function readTraces(db: Database, emails: readonly string[]): Promise<Traces> {
  const users = sql`(SELECT u.id FROM users u WHERE u.email ${sql.any([...emails])})`;
  const rows = await db.query<{ name: string; count: number }>(sql`
    SELECT 'account' AS name, count(*)::int AS count FROM users u WHERE u.email ${sql.any([...emails])}
    UNION ALL SELECT 'membership', count(*)::int FROM memberships WHERE user_id IN ${users}
    UNION ALL SELECT 'sign-in', count(*)::int FROM sign_ins WHERE user_id IN ${users}
    UNION ALL SELECT 'live sign-in', count(*)::int FROM sign_ins WHERE user_id IN ${users} AND expires_at > now()
    UNION ALL SELECT 'unused pending sign-in', count(*)::int FROM pending_sign_ins WHERE user_id IN ${users} AND used_at IS NULL
    UNION ALL SELECT 'unused recovery code', count(*)::int FROM recovery_codes WHERE user_id IN ${users} AND used_at IS NULL
    UNION ALL SELECT 'password link', count(*)::int FROM account_tokens WHERE user_id IN ${users}
    UNION ALL SELECT 'event ' || kind, count(*)::int FROM security_events WHERE user_id IN ${users} GROUP BY kind
    UNION ALL SELECT 'mail ' || kind, count(*)::int FROM mails WHERE to_email ${sql.any([...emails])} GROUP BY kind`);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** What has changed, by name. */
export function compareTraces(before: Traces, after: Traces): Record<string, number> {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changes = names.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}
