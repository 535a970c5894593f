import type { ListOpenedDocumentsQuery } from '../../generated/operations/graphql.ts';
import { record, string, time } from '../shape/record.ts';

type Organization = NonNullable<ListOpenedDocumentsQuery['organization']>;
type OpenedDocument = Organization['recentlyOpenedDocuments']['nodes'][number] & {
  memberId: string | undefined;
};

/** The document is null if it was deleted in this moment. */
export const openedDocumentRecord = record<OpenedDocument>(
  'RecentlyAccessedDocument',
  'When the caller opened a document last.',
  {
    ID: string((opened) => opened.id),
    UniqueID: string(() => '', 'Always empty: documents have no public link.'),
    OrganizationID: string((opened) => opened.organizationId),
    OrganizationMemberID: string((opened) => opened.memberId),
    ProjectID: string((opened) => opened.document?.project.id),
    ProjectName: string((opened) => opened.document?.project.name),
    DocumentID: string((opened) => opened.document?.id),
    DocumentName: string((opened) => opened.document?.name),
    AccessedOn: time((opened) => opened.openedAt, 'When the caller opened it last, to the minute.'),
  },
);
