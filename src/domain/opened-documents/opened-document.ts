import { sql } from '../../db/sql/sql.ts';
import type { OpenedDocument as OpenedDocumentRow } from '../../generated/prisma/client.ts';
import { visibleOpenedDocuments } from '../access/access-own.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { finder } from '../kernel/relation.ts';
import { tables } from '../kernel/tables.ts';

/** When a person opened a document last. Visible to that person only. */
export type OpenedDocument = OpenedDocumentRow;

/** The documents that the viewer opened last in an organization. */
export const openedDocumentsOfOrganization: Listing<OpenedDocument, object, 'OPENED_AT'> = {
  name: 'openedDocumentsOfOrganization',
  select: () => sql`od.*`,
  from: tables.openedDocuments.from,
  where: ({ viewer }) =>
    sql`od.organization_id = k.id AND ${visibleOpenedDocuments(viewer, tables.openedDocuments)}`,
  sorts: { OPENED_AT: sortBy(sql`od.id`, sql`od.opened_at`, 'timestamptz', (row) => row.openedAt) },
};

/** Reads the viewer's opened documents with these ids. */
export const findOpenedDocuments = finder<OpenedDocument>(
  ({ viewer }, are) => sql`SELECT od.* FROM ${tables.openedDocuments.from}
    WHERE od.id ${are} AND ${visibleOpenedDocuments(viewer, tables.openedDocuments)}`,
);
