import type { DocumentRecordFragment } from '../../generated/operations/graphql.ts';
import { documentRecord } from '../documents/record.ts';
import { ZERO_TIME } from '../wire/values.ts';

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

/** DocumentSubscription or TaskSubscription. A follow does not change after it was created. */
export const projectFollowRecord =
  (type: 'Document' | 'Task', userId: string, path: { organizationId: string; projectId: string }) =>
  ({ createdAt, subjectId }: { createdAt: string; subjectId: string }) => ({
    UserID: userId,
    OrganizationID: path.organizationId,
    ProjectID: path.projectId,
    [`${type}ID`]: subjectId,
    CreatedOn: createdAt,
    ModifiedOn: ZERO_TIME,
  });
