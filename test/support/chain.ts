import type { Database } from '../../src/db/database.ts';
import { eventHash } from '../../src/domain/kernel/record/event-hash.ts';

/** The first fault in an organization's events: a gap, a hash that does not follow, a head that is no end. Undefined for none. */
export async function chainFault(db: Database, organizationId: string): Promise<string | undefined> {
  const events = await db.prisma.event.findMany({ where: { organizationId }, orderBy: { sequence: 'asc' } });
  let before = new Uint8Array();
  for (const [index, { hash, ...row }] of events.entries()) {
    if (Number(row.sequence) !== index + 1) return `event ${index + 1} is missing`;
    before = eventHash(before, row as never);
    if (!Buffer.from(hash).equals(before)) return `event ${index + 1} does not follow from the one before`;
  }
  const head = await db.prisma.eventHead.findUnique({ where: { organizationId } });
  return Number(head?.sequence ?? 0) === events.length ? undefined : `the head says ${head?.sequence}`;
}
