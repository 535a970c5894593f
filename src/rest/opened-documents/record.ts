import type { ListOpenedDocumentsQuery } from '../../generated/operations/graphql.ts';
import { text, time } from '../wire/values.ts';

type Organization = NonNullable<ListOpenedDocumentsQuery['organization']>;
type OpenedDocument = Organization['recentlyOpenedDocuments']['nodes'][number];

/** RecentlyAccessedDocument: the document is null if it was deleted in this moment. Documents have no public link. */
export const openedDocumentRecord =
  (memberId: string | undefined) =>
  ({ id, organizationId, openedAt, document }: OpenedDocument) => ({
    ID: id,
    UniqueID: '',
    OrganizationID: organizationId,
    OrganizationMemberID: text(memberId),
    ProjectID: text(document?.project.id),
    ProjectName: text(document?.project.name),
    DocumentID: text(document?.id),
    DocumentName: text(document?.name),
    AccessedOn: time(openedAt),
  });
