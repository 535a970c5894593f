import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma, SecurityEvent as SecurityEventRow } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { visibleSecurityEvents } from '../access/access-credential.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';

/** What happened to someone's account, as they are shown it. */
export type SecurityEvent = SecurityEventRow & { data: { clientId?: string; clientName?: string } };

export interface NewSecurityEvent {
  userId: string;
  /** Noun and verb, e.g. `authorization.granted`. */
  kind: string;
  data?: Prisma.InputJsonObject;
  ipAddress?: string | null;
}

/** Appends security events, in the transaction that makes them true. */
export async function recordSecurityEvents(
  tx: Transaction,
  notes: readonly NewSecurityEvent[],
): Promise<void> {
  await tx.prisma.securityEvent.createMany({
    data: notes.map(({ data = {}, ...note }) => ({ id: newId('SecurityEvent'), data, ...note })),
  });
}

/** The viewer's own. */
export const securityEventsOfViewer: Listing<SecurityEvent, object, 'CREATED_AT'> = {
  name: 'securityEventsOfViewer',
  select: () => sql`s.*`,
  from: sql`security_events s`,
  where: ({ viewer }) => visibleSecurityEvents(viewer),
  sorts: {
    CREATED_AT: sortBy(sql`s.id`, sql`s.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};
