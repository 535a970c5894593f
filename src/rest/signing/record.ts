import type { OpenSigningQuery, SigningFieldRecordFragment } from '../../generated/operations/graphql.ts';
import { DESIGN_TYPES, SIGNATURE_FIELD_TYPES } from '../signatures/record.ts';
import { text } from '../wire/values.ts';

type Signing = NonNullable<OpenSigningQuery['signing']>;
export type SigningForm = NonNullable<Signing['form']>;

/** DocumentSignatureSessionRecipientFormField. */
const signingFieldRecord = (field: SigningFieldRecordFragment) => ({
  ID: field.fieldId,
  DocumentSignatureFormFieldID: field.fieldId,
  DocumentSignatureSessionRecipientID: text(field.recipientId),
  DocumentSignatureSessionRecipientRank: field.recipientRank,
  IsComplete: field.completedAt != null,
  Type: SIGNATURE_FIELD_TYPES[field.type],
  PageIndex: field.pageIndex,
  X: field.x,
  Y: field.y,
  Value: text(field.value),
  PlacementRank: field.rank,
});

/** FormFieldPackage. */
export const signingFormRecord = (
  form: SigningForm,
  waiting: SigningFieldRecordFragment[],
  completed: SigningFieldRecordFragment[],
) => ({
  FormDesignType: DESIGN_TYPES[form.design],
  QuickDesignPlaceInitials: form.placeInitials,
  QuickDesignPlaceFullName: form.placeFullName,
  QuickDesignPlaceEmail: form.placeEmail,
  QuickDesignPlaceTitle: form.placeTitle,
  FormFields: waiting.map(signingFieldRecord),
  CompletedFormFields: completed.map(signingFieldRecord),
});

/** The FormFieldPackage while the form is withheld, or if the caller did not ask for it. */
export const NO_FORM: ReturnType<typeof signingFormRecord> = {
  FormDesignType: '',
  QuickDesignPlaceInitials: false,
  QuickDesignPlaceFullName: false,
  QuickDesignPlaceEmail: false,
  QuickDesignPlaceTitle: false,
  FormFields: [],
  CompletedFormFields: [],
};

const contentRecord = (content: Signing['content'], pageIndex: string | undefined) => ({
  Url: content?.url ?? '',
  ContentType: content?.contentType ?? '',
  Name: content?.name ?? '',
  PageIndex: /^\d{1,6}$/.test(pageIndex ?? '') ? Number(pageIndex) : 0,
  PageCount: content?.pageCount ?? 0,
});

/** DocumentSignatureSessionSigningRecipientPackage. `pageIndex` is returned as it was requested. */
export const signingRecord = (
  signing: Signing,
  form: ReturnType<typeof signingFormRecord>,
  pageIndex: string | undefined,
) => ({
  RequireAccessCode: signing.requiresAccessCode,
  SigningRecipient: { Email: signing.email, FullName: signing.fullName },
  FormFieldPackage: form,
  ServerDate: signing.serverTime,
  ContentPackage: contentRecord(signing.content, pageIndex),
});
