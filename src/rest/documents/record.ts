import type { DocumentOrigin, DocumentRecordFragment } from '../../generated/operations/graphql.ts';
import { accessType, projectAccess } from '../projects/record.ts';
import { by, text, time, ZERO_TIME } from '../wire/values.ts';
import { previewRecord } from './preview.ts';

/** `UserUpload` is in the contract; the other terms are additions. */
export const ORIGINS: Record<DocumentOrigin, string> = {
  UPLOAD: 'UserUpload',
  FORM: 'FormSubmission',
  SEAL: 'Signature',
};

/**
 * The names as a path. Exporters write files to it, so no name may lead out of their folder: separators in a name, and
 * names of dots alone, are replaced by underscores.
 */
export const readablePath = (names: readonly string[]): string =>
  names
    .map((name) => name.replace(/[/\\]/g, '_').replace(/^\.+$/, (dots) => '_'.repeat(dots.length)))
    .join('/');

/** The members of both Document and DocumentForClient. */
const common = (document: DocumentRecordFragment) => ({
  ID: document.id,
  DocumentID: document.id,
  CreatedOn: document.createdAt,
  PurgeDate: time(document.purgeAt),
  Name: document.name,
  PageCount: document.pageCount ?? 0,
  FileSize: document.size,
  ThumbnailUrl: text(document.thumbnailUrl),
  IsSigned: document.signedAt != null,
  PreviewMetadata: previewRecord(document),
  DocumentSubscriptionID: text(document.viewerFollow?.id),
  DocumentSubscriptionCreatedOn: time(document.viewerFollow?.createdAt),
  ProcessName: text(document.pendingApproval?.process.name),
  ProcessElementName: text(document.pendingApproval?.step.name),
});

/** Document. REST v1 counts revisions from 0. */
export const documentRecord = (document: DocumentRecordFragment) => ({
  ...common(document),
  OrganizationID: document.organizationId,
  ProjectID: document.project.id,
  ProjectName: document.project.name,
  ProjectAccessType: accessType(document.project.access),
  ProjectAccess: projectAccess(document.project.access),
  DocumentFolderID: text(document.folder?.id),
  DocumentFolderPath: readablePath(document.folder?.path ?? []),
  DocumentFolderHexColor: text(document.folder?.hexColor),
  AssignmentUserEmails: document.assigneeEmails,
  Tags: document.tags,
  AssetItemTags: [],
  GroupID: text(document.groupId),
  FormSubmissionID: text(document.groupId),
  ...by('Created', document.createdBy),
  ModifiedOn: time(document.modifiedAt),
  ...by('Modified', document.modifiedBy),
  Origin: ORIGINS[document.origin],
  ApprovalID: text(document.pendingApproval?.id),
  ApprovalCreatedOn: time(document.pendingApproval?.createdAt),
  IsMarkedForPurge: document.state === 'RECYCLED',
  HasSinglePageImages: document.thumbnailUrl != null,
  SignatureSessionIsActive: document.signatureSession?.state === 'ACTIVE',
  SignaturesCompletedOn: time(document.signedAt),
  Revision: document.revisionNumber - 1,
  PaperSize: '',
  PaperOrientation: '',
  PaperMarginLeft: 0,
  PaperMarginRight: 0,
  PaperMarginTop: 0,
  PaperMarginBottom: 0,
  SyncDocumentID: '',
  SyncProjectName: '',
});

/** DocumentForClient: the reply to a change of one document. */
export const changedDocumentRecord = (document: DocumentRecordFragment) => ({
  ...common(document),
  ClassificationID: '',
  ClassificationName: '',
  DocumentApprovalID: text(document.pendingApproval?.id),
  DocumentApprovalCreatedOn: time(document.pendingApproval?.createdAt),
  DocumentSignatureSessionRecipientID: '',
  DocumentSignatureSessionID: '',
  DocumentSignatureSessionRecipientEmail: '',
  DocumentSignatureSessionRecipientFullName: '',
  DocumentSignatureSessionRecipientRequestedOn: ZERO_TIME,
  RoleName: '',
  Score: 0,
});

/** The PrimaryDocument where there is none: strict clients need the member (contract, Task). */
export const NO_DOCUMENT = {
  ...documentRecord({
    id: '',
    organizationId: '',
    project: { id: '', name: '', access: 'OPEN' },
    folder: null,
    assigneeEmails: [],
    tags: [],
    groupId: null,
    createdAt: ZERO_TIME,
    createdBy: { id: '', name: '', email: '' },
    modifiedAt: null,
    modifiedBy: null,
    purgeAt: null,
    name: '',
    state: 'ACTIVE',
    origin: 'UPLOAD',
    pageCount: null,
    size: 0,
    thumbnailUrl: null,
    signedAt: null,
    revisionNumber: 1,
    pendingApproval: null,
    signatureSession: null,
    fieldValues: [],
    viewerFollow: null,
  }),
  ProjectAccessType: '',
  Origin: '',
};
