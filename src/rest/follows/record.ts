import type { DocumentRecordFragment } from '../../generated/operations/graphql.ts';
import { previews } from '../documents/preview.ts';
import { accessType } from '../projects/record.ts';
import { boolean, integer, nullable, record, string, time } from '../shape/record.ts';

export const subscriptionRecord = record<DocumentRecordFragment>(
  'DocumentSubscriptionForClient',
  'Whether the caller follows a document.',
  {
    ID: string((document) => document.viewerFollow?.id),
    Subscribed: boolean(
      (document) => document.viewerFollow != null,
      'Whether the caller follows the document.',
    ),
    Notify: boolean(
      (document) => document.viewerFollow != null,
      'Whether the caller is notified of what happens to it: as Subscribed.',
    ),
    CreatedOn: time(
      (document) => document.viewerFollow?.createdAt,
      'When the caller began to follow it; the zero time otherwise.',
    ),
    OrganizationID: string((document) => document.organizationId),
    ProjectID: string((document) => document.project.id),
    ProjectName: string((document) => document.project.name),
    ProjectAccessType: string((document) => accessType(document.project.access)),
    DocumentID: string((document) => document.id),
    DocumentCreatedOn: time((document) => document.createdAt),
    DocumentName: string((document) => document.name),
    DocumentPageCount: integer((document) => document.pageCount),
    DocumentFileSize: integer((document) => document.size),
    DocumentPreviewMetadata: nullable(previews((document) => document)),
    DocumentIsSigned: boolean((document) => document.signedAt != null),
    DocumentThumbnailUrl: string(
      (document) => document.thumbnailUrl,
      'The address of a preview image; empty for none.',
    ),
  },
);

interface Follow {
  userId: string;
  organizationId: string;
  projectId: string;
  subjectId: string;
  createdAt: string;
}

/** A follow does not change after it was created. */
const followOf = (type: 'Document' | 'Task') =>
  record<Follow>(`${type}Subscription`, `The caller follows a ${type.toLowerCase()}.`, {
    UserID: string((follow) => follow.userId),
    OrganizationID: string((follow) => follow.organizationId),
    ProjectID: string((follow) => follow.projectId),
    [`${type}ID`]: string((follow: Follow) => follow.subjectId),
    CreatedOn: time((follow) => follow.createdAt, 'When the caller began to follow it.'),
    ModifiedOn: time(() => null, 'Always the zero time.'),
  });

export const projectFollowRecords = { Document: followOf('Document'), Task: followOf('Task') };
