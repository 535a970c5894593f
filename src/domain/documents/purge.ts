import type { Transaction } from '../../db/database.ts';
import { type Actor, type NewEvent, recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Document } from './document.ts';

type Purged = Pick<Document, 'organizationId' | 'projectId' | 'id' | 'name'>;

/**
 * Deletes documents with all that belongs to them, and records it, with `more` events after those. The caller has locked them, and
 * found no obstacle. `disposalId`: of the disposal that they are part of.
 */
export async function purge(
  actor: Actor,
  tx: Transaction,
  documents: readonly Purged[],
  { disposalId, more = [] }: { disposalId?: string; more?: readonly NewEvent[] } = {},
): Promise<void> {
  await tx.prisma.document.deleteMany({ where: { id: { in: documents.map(({ id }) => id) } } });
  const data = ({ name }: Purged) => ({ before: { name }, ...(disposalId && { disposalId }) });
  await recordEvents(actor, tx, [
    ...documents.map((each) => subjectEvent(each, 'document.purged', data(each))),
    ...more,
  ]);
}
