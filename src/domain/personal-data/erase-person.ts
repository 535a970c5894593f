import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Context } from '../kernel/context.ts';
import { viewerOfUser } from '../users/viewer-of-user.ts';
import { deleteAccountRows, type ErasureCause, eraseAccountRows } from './erase-account.ts';
import { eraseAddresses } from './erase-addresses.ts';
import { eraseEventContent } from './erase-events.ts';
import { endErasedMemberships } from './erase-membership.ts';
import { type ErasureItem, HOLDINGS, itemsOf, REMARKS } from './erasure-plan.ts';
import type { EventCounts } from './event-counts.ts';
import type { Holding } from './holding.ts';
import { countHeld } from './holding-rows.ts';
import { findPerson, type PersonState } from './person.ts';
import { Tally } from './tally.ts';

/** The services that an erasure needs. */
export type ErasureSite = Pick<Context, 'db' | 'storage' | 'limits'>;

/** What an erasure has done. After one that was interrupted, the counts are those of what was left. */
export interface ErasureReport {
  userId: string;
  items: ErasureItem[];
  remarks: readonly string[];
}

const REQUEST_ID = 'erasure';

/**
 * Erases an account for good (GDPR Art. 17). The first transaction ends all credentials and takes name and address from the
 * account; what follows may be repeated, and `finishErasures` does so where a process died. Throws NOT_FOUND, and CONFLICT for
 * the only owner of an organization.
 */
export async function erasePerson(
  site: ErasureSite,
  userId: string,
  cause: ErasureCause,
): Promise<ErasureReport> {
  return finishErasure(site, userId, await beginErasure(site, userId, cause));
}

/** The first transaction alone. Returns the counts of what it did. */
export const beginErasure = ({ db }: ErasureSite, userId: string, cause: ErasureCause): Promise<Tally> =>
  inTransaction(db, async (tx) => {
    const tally = new Tally();
    await eraseAccountRows(tx, userId, cause, tally);
    return tally;
  });

/** Does what is left after the first transaction, of which `tally` has the counts. */
export async function finishErasure(site: ErasureSite, userId: string, tally: Tally): Promise<ErasureReport> {
  const person = await findPerson(site.db, userId);
  const viewer = await viewerOfUser(site.db, userId, '');
  const ctx: Context = { ...site, viewer, requestId: REQUEST_ID };
  await endErasedMemberships(ctx, person, tally);
  await eraseAddresses(ctx, person, tally);
  const events = await eraseEventContent(ctx, person);
  const items = await reportOf(site.db, person, tally, events);
  await forgetAddress(site.db, person);
  return { userId, items, remarks: REMARKS };
}

/** Of what is kept, the rows that are there; of all else, those that were changed or deleted. */
async function reportOf(
  db: Database,
  person: PersonState,
  tally: Tally,
  events: EventCounts,
): Promise<ErasureItem[]> {
  const kept = new Map<Holding, number>();
  for (const holding of HOLDINGS.filter(({ end }) => end === 'KEPT'))
    kept.set(holding, await countHeld(db, holding, person));
  return itemsOf((holding) => kept.get(holding) ?? tally.of(holding.kind), events);
}

/**
 * Ends the erasure. What belongs to the account is deleted again: a request may have written it in the last moment. What is
 * about its address may be another person's by now.
 */
const forgetAddress = (db: Database, { userId }: PersonState): Promise<unknown> =>
  inTransaction(db, async (tx) => {
    await deleteAccountRows(tx, { userId, address: null }, new Tally());
    await tx.query(sql`UPDATE users SET former_email = NULL, email_verified_at = NULL WHERE id = ${userId}`);
  });

/** Finishes erasures that were interrupted. Returns how many. */
export async function finishErasures(site: ErasureSite): Promise<number> {
  const interrupted = await site.db.query<{ id: string }>(
    sql`SELECT u.id FROM users u WHERE u.former_email IS NOT NULL ORDER BY u.id`,
  );
  for (const { id } of interrupted) await finishErasure(site, id, new Tally());
  return interrupted.length;
}
