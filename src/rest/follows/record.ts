import type { DocumentRecordFragment } from '../../generated/operations/graphql.ts';
import { documentRecord } from '../documents/record.ts';

/** DocumentSubscriptionForClient: whether the caller follows the document. */
export function subscriptionRecord(document: DocumentRecordFragment) {
  const record = documentRecord(document);
  const { DocumentSubscriptionID: ID, DocumentSubscriptionCreatedOn: CreatedOn } = record;
  return {
    ID,
    Subscribed: ID !== '',
    Notify: ID !== '',
    CreatedOn,
    OrganizationID: record.OrganizationID,
    ProjectID: record.ProjectID,
    ProjectName: record.ProjectName,
    ProjectAccessType: record.ProjectAccessType,
    DocumentID: record.DocumentID,
    DocumentCreatedOn: record.CreatedOn,
    DocumentName: record.Name,
    DocumentPageCount: record.PageCount,
    DocumentFileSize: record.FileSize,
    DocumentPreviewMetadata: record.PreviewMetadata,
    DocumentIsSigned: record.IsSigned,
    DocumentThumbnailUrl: record.ThumbnailUrl,
  };
}
