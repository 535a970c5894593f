import type { DocumentOrigin, DocumentRecordFragment } from '../../generated/operations/graphql.ts';
import { assetItemTags } from '../fields/asset-item-tag.ts';
import { accessType, projectAccess } from '../projects/record.ts';
import {
  boolean,
  by,
  integer,
  nullable,
  number,
  one,
  type RecordMembers,
  record,
  string,
  strings,
  time,
} from '../shape/record.ts';
import { ZERO_TIME } from '../wire/values.ts';
import { previews } from './preview.ts';

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

type Document = DocumentRecordFragment;

/** REST v1 counts revisions from 0. */
export const documentMembers: RecordMembers<Document> = {
  ID: string((document) => document.id),
  OrganizationID: string((document) => document.organizationId),
  ProjectID: string((document) => document.project.id),
  ProjectName: string((document) => document.project.name),
  ProjectAccessType: string((document) => accessType(document.project.access)),
  ProjectAccess: one(projectAccess, (document) => document.project.access),
  DocumentID: string((document) => document.id),
  DocumentFolderID: string((document) => document.folder?.id),
  DocumentFolderPath: string((document) => readablePath(document.folder?.path ?? [])),
  DocumentFolderHexColor: string((document) => document.folder?.hexColor),
  AssignmentUserEmails: nullable(strings((document) => document.assigneeEmails)),
  Tags: strings((document) => document.tags),
  AssetItemTags: assetItemTags,
  GroupID: string((document) => document.groupId),
  FormSubmissionID: string((document) => document.groupId),
  CreatedOn: time((document) => document.createdAt),
  ...by<Document>('Created', (document) => document.createdBy),
  ModifiedOn: time((document) => document.modifiedAt),
  ...by<Document>('Modified', (document) => document.modifiedBy),
  PurgeDate: time((document) => document.purgeAt),
  Name: string((document) => document.name),
  Origin: string((document) => ORIGINS[document.origin]),
  PageCount: integer((document) => document.pageCount),
  FileSize: integer((document) => document.size),
  ThumbnailUrl: string((document) => document.thumbnailUrl),
  IsSigned: boolean((document) => document.signedAt != null),
  PreviewMetadata: nullable(previews((document) => document)),
  ApprovalID: string((document) => document.pendingApproval?.id),
  ApprovalCreatedOn: time((document) => document.pendingApproval?.createdAt),
  IsMarkedForPurge: boolean((document) => document.state === 'RECYCLED'),
  HasSinglePageImages: boolean((document) => document.thumbnailUrl != null),
  SignatureSessionIsActive: boolean((document) => document.signatureSession?.state === 'ACTIVE'),
  SignaturesCompletedOn: time((document) => document.signedAt),
  DocumentSubscriptionID: string((document) => document.viewerFollow?.id),
  DocumentSubscriptionCreatedOn: time((document) => document.viewerFollow?.createdAt),
  ProcessName: string((document) => document.pendingApproval?.process.name),
  ProcessElementName: string((document) => document.pendingApproval?.step.name),
  Revision: integer((document) => document.revisionNumber - 1),
  PaperSize: string(() => ''),
  PaperOrientation: string(() => ''),
  PaperMarginLeft: number(() => 0),
  PaperMarginRight: number(() => 0),
  PaperMarginTop: number(() => 0),
  PaperMarginBottom: number(() => 0),
  SyncDocumentID: string(() => ''),
  SyncProjectName: string(() => ''),
};

export const documentRecord = record<Document>(
  'Document',
  'A document, as lists return it.',
  documentMembers,
  { ID: 'doc_01k9nztfxdmdms8g8s6whatht9', Name: 'permit-44.pdf' },
);

/** The reply to a change of one document. */
export const changedDocumentRecord = record<Document>(
  'DocumentForClient',
  'A document, as its update returns it.',
  {
    ID: string((document) => document.id),
    DocumentID: string((document) => document.id),
    CreatedOn: time((document) => document.createdAt),
    PurgeDate: time((document) => document.purgeAt),
    Name: string((document) => document.name),
    PageCount: integer((document) => document.pageCount),
    FileSize: integer((document) => document.size),
    ThumbnailUrl: string((document) => document.thumbnailUrl),
    IsSigned: boolean((document) => document.signedAt != null),
    ClassificationID: string(() => ''),
    ClassificationName: string(() => ''),
    PreviewMetadata: nullable(previews((document) => document)),
    DocumentApprovalID: nullable(
      string(
        (document) => document.pendingApproval?.id,
        'The id of the pending approval; empty if there is none.',
      ),
    ),
    DocumentApprovalCreatedOn: nullable(
      time((document) => document.pendingApproval?.createdAt, 'When that approval was requested.'),
    ),
    DocumentSubscriptionID: string((document) => document.viewerFollow?.id),
    DocumentSubscriptionCreatedOn: time((document) => document.viewerFollow?.createdAt),
    DocumentSignatureSessionRecipientID: string(() => ''),
    DocumentSignatureSessionID: string(() => ''),
    DocumentSignatureSessionRecipientEmail: string(() => '', 'The e-mail address of that signer.'),
    DocumentSignatureSessionRecipientFullName: string(() => '', 'The full name of that signer.'),
    DocumentSignatureSessionRecipientRequestedOn: time(() => null, 'When the signature was requested.'),
    RoleName: string(() => ''),
    ProcessName: string((document) => document.pendingApproval?.process.name),
    ProcessElementName: string((document) => document.pendingApproval?.step.name),
    Score: nullable(integer(() => 0)),
  },
  { ID: 'doc_01k9nztfxdmdms8g8s6whatht9', Name: 'permit-44 final.pdf' },
);

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
