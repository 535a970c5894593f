import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma, SecurityEvent as SecurityEventRow } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { visibleSecurityEvents } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';

/** A security event of an account, shown to its owner. */
export type SecurityEvent = SecurityEventRow & { data: { clientId?: string; clientName?: string } };

/** A security event to record. */
export interface NewSecurityEvent {
  userId: string;
  /** Noun and verb, such as `authorization.granted`. */
  kind: string;
  data?: Prisma.InputJsonObject;
  ipAddress?: string | null;
}

/** Appends security events, in the transaction of the change. */
export async function recordSecurityEvents(
  tx: Transaction,
  events: readonly NewSecurityEvent[],
): Promise<void> {
  await tx.prisma.securityEvent.createMany({
    data: events.map(({ data = {}, ...event }) => ({ id: newId('SecurityEvent'), data, ...event })),
  });
}

/** Those of the ids that are the viewer's own, in no particular order. */
export const findSecurityEvents = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<SecurityEvent>(
    sql`SELECT s.* FROM ${tables.securityEvents.from} WHERE s.id ${sql.any(ids)} AND ${visibleSecurityEvents(viewer, tables.securityEvents)}`,
  );

/** The viewer's own security events. */
export const securityEventsOfViewer: Listing<SecurityEvent, object, 'CREATED_AT'> = {
  name: 'securityEventsOfViewer',
  select: () => sql`s.*`,
  from: tables.securityEvents.from,
  where: ({ viewer }) => visibleSecurityEvents(viewer, tables.securityEvents),
  sorts: {
    CREATED_AT: sortBy(sql`s.id`, sql`s.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};
