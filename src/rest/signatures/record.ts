import { badInput } from '../../domain/kernel/errors.ts';
import type {
  SignatureDesign,
  SignatureFieldRecordFragment,
  SignatureFieldType,
  SignatureFormRecordFragment,
  SignaturePackageFragment,
  SignatureTemplateFieldRecordFragment,
  SignatureTemplateRecordFragment,
  SigningFieldRecordFragment,
} from '../../generated/operations/graphql.ts';
import { by, text, time } from '../wire/wire.ts';

const FIELD_TYPES: Record<SignatureFieldType, string> = {
  SIGNATURE: 'Signature',
  INITIALS: 'Initials',
  FULL_NAME: 'FullName',
  EMAIL: 'Email',
  TITLE: 'Title',
  DATE: 'Date',
  TEXT: 'Text',
};

const DESIGNS: Record<SignatureDesign, string> = { CUSTOM: 'Custom', QUICK: 'Quick' };

/** The key of a word, whatever its case; undefined for '' and for none. Throws BAD_USER_INPUT for other words. */
function meaning<Key extends string>(
  words: Record<Key, string>,
  word: string | undefined,
  member: string,
): Key | undefined {
  if (!word) return undefined;
  const key = (Object.keys(words) as Key[]).find((each) => words[each].toLowerCase() === word.toLowerCase());
  if (key) return key;
  throw badInput(`${member}: ${word} is none of ${Object.values(words).join(', ')}.`, member);
}

export const fieldTypeOf = (word: string | undefined) => meaning(FIELD_TYPES, word, 'Type');
export const designOf = (word: string | undefined) => meaning(DESIGNS, word, 'FormDesignType');
export const designWord = (design: SignatureDesign): string => DESIGNS[design];

/** DocumentSignatureForm. There are no classes of documents. */
export const signatureFormRecord = (form: SignatureFormRecordFragment) => ({
  ID: form.id,
  SignatureFormTemplateID: text(form.templateId),
  CreatedOn: form.createdAt,
  TenantID: form.project.id,
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
  Type: FIELD_TYPES[field.type],
  PageIndex: field.pageIndex,
  DocumentSignatureSessionRecipientID: text(field.recipient?.id),
  X: field.x,
  Y: field.y,
});

type Session = SignaturePackageFragment;

/** DocumentSignatureSession. The access code is kept as a hash, and told to nobody. */
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
  FormDesignType: DESIGNS[session.design],
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

/** DocumentSignatureSessionRecipient. Its UniqueID, the secret of the link, is for those who may hand it on. */
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
    DocumentPreviewMetadata: [],
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
    SigningRequestSent: recipient.requestedAt != null,
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

/** SignatureFormTemplateField. A template has no signers: their rank stands in the place of an id. */
export const signatureTemplateFieldRecord = (field: SignatureTemplateFieldRecordFragment) => ({
  ID: field.id,
  CreatedOn: field.createdAt,
  Type: FIELD_TYPES[field.type],
  PageIndex: field.pageIndex,
  DocumentSignatureSessionRecipientID: String(field.recipientRank),
  X: field.x,
  Y: field.y,
  Label: text(field.label),
  WidthPercent: field.widthPercent ?? 0,
  SortRank: field.rank,
});

/** DocumentSignatureSessionRecipientFormField. */
export const signingFieldRecord = (field: SigningFieldRecordFragment) => ({
  ID: field.id,
  DocumentSignatureFormFieldID: field.id,
  DocumentSignatureSessionRecipientID: text(field.recipientId),
  DocumentSignatureSessionRecipientRank: field.recipientRank,
  IsComplete: field.completedAt != null,
  Type: FIELD_TYPES[field.type],
  PageIndex: field.pageIndex,
  X: field.x,
  Y: field.y,
  Value: text(field.value),
  PlacementRank: field.rank,
});

/** Who a field is for, as the member has it: the id of a signer, or, as templates tell it, a rank. */
export const signerIn = (word: string | undefined) =>
  /^\d{1,4}$/.test(word ?? '') ? { recipientRank: Number(word) } : { recipientId: word };
