import type {
  SignatureDesign,
  SignatureFieldRecordFragment,
  SignatureFieldType,
  SignatureFormRecordFragment,
  SignaturePackageFragment,
  SignatureTemplateFieldRecordFragment,
  SignatureTemplateRecordFragment,
} from '../../generated/operations/graphql.ts';
import { previewRecord } from '../documents/preview.ts';
import type { Members } from '../wire/members.ts';
import { by, text, time } from '../wire/values.ts';

export const SIGNATURE_FIELD_TYPES: Record<SignatureFieldType, string> = {
  SIGNATURE: 'Signature',
  INITIALS: 'Initials',
  FULL_NAME: 'FullName',
  EMAIL: 'Email',
  TITLE: 'Title',
  DATE: 'Date',
  TEXT: 'Text',
};

export const DESIGN_TYPES: Record<SignatureDesign, string> = { CUSTOM: 'Custom', QUICK: 'Quick' };

/** The Type of a field in a request; undefined without one. */
export const fieldTypeOf = (item: Members) => item.term('Type', SIGNATURE_FIELD_TYPES);

/** The caller's names for the members of a field. */
export const SIGNATURE_FIELD_NAMES = {
  type: 'Type',
  pageIndex: 'PageIndex',
  x: 'X',
  y: 'Y',
  recipientId: 'DocumentSignatureSessionRecipientID',
  recipientRank: 'DocumentSignatureSessionRecipientID',
};

/** DocumentSignatureForm. Members about classes of documents are empty, as there are none. */
export const signatureFormRecord = (form: SignatureFormRecordFragment) => ({
  ID: form.id,
  SignatureFormTemplateID: text(form.templateId),
  CreatedOn: form.createdAt,
  TenantID: form.project.id,
  OrganizationID: form.organizationId,
  ProjectID: form.project.id,
  DocumentID: form.document.id,
  DocumentClassificationID: '',
  DocumentClassificationName: '',
  DocumentClassificationNameLower: '',
  DocumentName: form.document.name,
  DocumentNameLower: form.document.name.toLowerCase(),
  HasFormFields: form.fieldCount > 0,
  TotalFormFields: form.fieldCount,
  LastViewedPageIndex: form.lastViewedPageIndex,
});

/** DocumentSignatureFormField. */
export const signatureFieldRecord = (field: SignatureFieldRecordFragment) => ({
  ID: field.id,
  CreatedOn: field.createdAt,
  Type: SIGNATURE_FIELD_TYPES[field.type],
  PageIndex: field.pageIndex,
  DocumentSignatureSessionRecipientID: text(field.recipient?.id),
  X: field.x,
  Y: field.y,
});

type Session = SignaturePackageFragment;

/** DocumentSignatureSession. AccessCode is empty: only a hash of the code is stored. */
const sessionRecord = (session: Session) => ({
  ID: session.id,
  CreatedOn: session.createdAt,
  ModifiedOn: time(session.modifiedAt),
  ...by('Created', session.createdBy),
  ...by('LastModified', session.modifiedBy),
  DocumentID: session.document.id,
  DocumentRevisionID: session.revision.id,
  IsActive: session.state === 'ACTIVE',
  IsComplete: session.state === 'COMPLETED',
  WasStopped: session.state === 'STOPPED',
  CompletedOn: time(session.completedAt),
  IsRendered: session.sealedAt != null,
  RenderedOn: time(session.sealedAt),
  FormDesignType: DESIGN_TYPES[session.design],
  UseAccessCode: session.useAccessCode,
  AccessCode: '',
  UseCustomSubjectAndBody: session.useCustomMail,
  CustomSubject: text(session.customSubject),
  CustomBody: text(session.customBody),
  QuickDesignPlaceInitials: session.placeInitials,
  QuickDesignPlaceFullName: session.placeFullName,
  QuickDesignPlaceEmail: session.placeEmail,
  QuickDesignPlaceTitle: session.placeTitle,
});

type Recipient = Session['recipients']['nodes'][number];

/** DocumentSignatureSessionRecipient. UniqueID is the secret of the signing link, for callers who may pass it on. */
const recipientRecord =
  ({ id, state, project, document }: Session) =>
  (recipient: Recipient) => ({
    ID: recipient.id,
    TenantID: project.id,
    DocumentID: document.id,
    DocumentCreatedOn: document.createdAt,
    DocumentBucketName: '',
    DocumentThumbnailObjectName: '',
    DocumentName: document.name,
    DocumentNameLower: document.name.toLowerCase(),
    DocumentPageCount: document.pageCount ?? 0,
    DocumentFileSize: document.size,
    DocumentClassificationID: '',
    DocumentClassificationName: '',
    DocumentClassificationNameLower: '',
    DocumentPreviewMetadata: previewRecord(document),
    DocumentSignatureSessionID: id,
    DocumentSignatureSessionIsActive: state === 'ACTIVE',
    DocumentSignatureSessionIsComplete: state === 'COMPLETED',
    UniqueID: text(recipient.linkSecret),
    SigningUrl: text(recipient.signingUrl),
    Rank: recipient.rank,
    Email: recipient.email,
    FullName: recipient.fullName,
    Type: 'Signer',
    TenantMemberID: text(recipient.memberId),
    SigningRequestSent: recipient.requestSentAt != null,
    RequestedOn: time(recipient.requestedAt),
    IsActive: state === 'ACTIVE' && recipient.state === 'REQUESTED',
    IsComplete: recipient.state === 'COMPLETED',
    CompletedOn: time(recipient.completedAt),
    IPAddress: text(recipient.ipAddress),
  });

/** DocumentSignatureSessionPackage. */
export const packageRecord = (session: Session) => ({
  Session: sessionRecord(session),
  Recipients: session.recipients.nodes.map(recipientRecord(session)),
  BeginSession: false,
  ResetSession: false,
});

/** SignatureFormTemplate. */
export const signatureTemplateRecord = (template: SignatureTemplateRecordFragment) => ({
  ID: template.id,
  Name: template.name,
  NameLower: template.name.toLowerCase(),
  CreatedOn: template.createdAt,
});

/** SignatureFormTemplateField. A template has no signers, so the rank of a signer replaces the id. */
export const signatureTemplateFieldRecord = (field: SignatureTemplateFieldRecordFragment) => ({
  ID: field.id,
  CreatedOn: field.createdAt,
  Type: SIGNATURE_FIELD_TYPES[field.type],
  PageIndex: field.pageIndex,
  DocumentSignatureSessionRecipientID: String(field.recipientRank),
  X: field.x,
  Y: field.y,
  Label: text(field.label),
  WidthPercent: field.widthPercent ?? 0,
  SortRank: field.rank,
});

/** The signer of a field in a request: by id, or by rank as in templates. */
export function signerOf(item: Members) {
  const signer = item.text('DocumentSignatureSessionRecipientID');
  return /^\d{1,4}$/.test(signer ?? '') ? { recipientRank: Number(signer) } : { recipientId: signer };
}
