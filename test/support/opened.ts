import type { Database } from '../../src/db/database.ts';
import { newId } from '../../src/lib/id.ts';

/** As if every member had opened every document of an organization in the future: so reads do not write that again. */
export async function openAll(db: Database, organizationId: string): Promise<void> {
  const { membership, document, openedDocument } = db.prisma;
  const where = { organizationId };
  const members = await membership.findMany({ where });
  const documents = await document.findMany({ where });
  const openedAt = new Date('2100-01-01');
  const data = members.flatMap(({ userId }) =>
    documents.map(({ id: documentId }) => ({
      organizationId,
      id: newId('OpenedDocument'),
      userId,
      documentId,
      openedAt,
    })),
  );
  await openedDocument.createMany({ data, skipDuplicates: true });
}
