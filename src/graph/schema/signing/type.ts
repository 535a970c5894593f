import {
  type SignatureField as FieldRow,
  fieldsOfSigning,
} from '../../../domain/signatures/signature-form.ts';
import { declineSignature, signDocument } from '../../../domain/signing/sign.ts';
import { type Signing as SigningRow, signedContent } from '../../../domain/signing/signing.ts';
import { type OpenedSigning, openSigning } from '../../../domain/signing/signing-open.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { SignatureFieldType } from '../signatures/form.ts';
import { designOf, SignatureDesign, SignatureRecipientState } from '../signatures/states.ts';

const SigningField = builder.objectRef<FieldRow & { signerRank: number }>('SigningField').implement({
  description: 'A field as a signer sees it.',
  fields: (t) => ({
    fieldId: t.exposeID('id', { description: 'The field, as a SignatureField; pass it to signDocument.' }),
    recipientId: t.exposeID('recipientId', { nullable: true, description: 'Whose it is.' }),
    recipientRank: t.exposeInt('signerRank', { description: 'Their position in the order of signing.' }),
    type: t.expose('type', { type: SignatureFieldType, description: 'What goes into it.' }),
    label: t.exposeString('label', { nullable: true, description: 'The text next to it.' }),
    required: t.exposeBoolean('required', { description: 'Whether it has to be filled in.' }),
    rank: t.exposeInt('rank', { description: 'Its position in the order of the form.' }),
    pageIndex: t.exposeInt('pageIndex', { description: 'Its page, counted from 0.' }),
    x: t.exposeFloat('x', { description: 'Its left edge, in percent of the width of the page.' }),
    y: t.exposeFloat('y', { description: 'Its upper edge, in percent of the height of the page.' }),
    width: t.exposeFloat('width', { nullable: true, description: 'In percent of the width of the page.' }),
    height: t.exposeFloat('height', { nullable: true, description: 'In percent of the height of the page.' }),
    value: t.exposeString('value', { nullable: true, description: 'What was filled in.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its signer signed.',
    }),
  }),
});

const SigningContent = builder
  .objectRef<Awaited<ReturnType<typeof signedContent>>>('SigningContent')
  .implement({
    description:
      'The file that is signed. Of a PDF, the copy that was written when the session began (docs/signing.md).',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name of the document.' }),
      contentType: t.exposeString('contentType', { description: 'MIME type.' }),
      pageCount: t.exposeInt('pageCount', {
        nullable: true,
        description: 'Its number of pages, where known.',
      }),
      sha256: t.exposeString('sha256', {
        description: 'SHA-256 of its bytes, in hex: what is sealed in the end is drawn on this file.',
      }),
      url: t.exposeString('url', {
        description:
          'A URL that returns the bytes without a credential, for some minutes; anyone who has it can use it.',
      }),
    }),
  });

const SigningForm = builder.objectRef<OpenedSigning>('SigningForm').implement({
  description: 'What there is to fill in.',
  fields: (t) => ({
    design: t.field({
      type: SignatureDesign,
      description: 'How the fields came about.',
      resolve: ({ formDesignType }) => designOf(formDesignType),
    }),
    placeInitials: t.exposeBoolean('placeInitials', { description: 'Quick design asks for initials.' }),
    placeFullName: t.exposeBoolean('placeFullName', { description: 'Quick design asks for the full name.' }),
    placeEmail: t.exposeBoolean('placeEmail', { description: 'Quick design asks for the e-mail address.' }),
    placeTitle: t.exposeBoolean('placeTitle', { description: 'Quick design asks for the title.' }),
    fields: t.connection(
      {
        type: SigningField,
        description:
          'The fields that wait for the signer; with completed, all that anyone has filled in so far.',
        args: { completed: t.arg.boolean({ defaultValue: false, description: 'Which of the two.' }) },
        resolve: (signing, args, ctx) =>
          connect(ctx, fieldsOfSigning, signing, args, ({ completed, ...page }) => ({
            ...page,
            filter: { completed: completed ?? false },
            orderBy: { field: 'RANK', direction: 'ASC' },
          })),
      },
      connectionOf(SigningField),
    ),
  }),
});

const Signing = builder.objectRef<OpenedSigning>('Signing').implement({
  scope: 'signatures:read',
  description: 'A request to sign a document, as its signer sees it.',
  fields: (t) => ({
    recipientId: t.exposeID('id', { description: 'The signer, as a SignatureRecipient.' }),
    sessionId: t.exposeID('sessionId', { description: 'The session.' }),
    email: t.exposeString('email', { description: 'The e-mail address of the signer.' }),
    fullName: t.exposeString('fullName', { description: 'The full name of the signer.' }),
    state: t.expose('state', { type: SignatureRecipientState, description: 'Their state.' }),
    expiresAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the time to sign ends. Nobody can sign after that.',
    }),
    requiresAccessCode: t.exposeBoolean('locked', {
      description: 'Whether an access code is needed to see more than this.',
    }),
    serverTime: t.field({
      type: 'DateTime',
      description: 'What time it is here.',
      resolve: () => new Date(),
    }),
    form: t.field({
      type: SigningForm,
      nullable: true,
      description: 'What there is to fill in; null while an access code is needed.',
      resolve: (signing) => (signing.locked ? null : signing),
    }),
    content: t.field({
      type: SigningContent,
      nullable: true,
      description: 'The file that is signed; null while an access code is needed.',
      resolve: (signing, _, ctx) => (signing.locked ? null : signedContent(ctx, signing)),
    }),
  }),
});

builder.queryField('signing', (t) =>
  t.field({
    type: Signing,
    nullable: true,
    description:
      'The signature that is requested of you, by your account; others follow their link, over REST v1. FORBIDDEN for a wrong access code, RATE_LIMITED after too many of them, CONFLICT when these have locked it, or the sender has withdrawn the document.',
    args: {
      sessionId: t.arg.id({ required: true, description: 'The session.' }),
      recipientId: t.arg.id({ required: true, description: 'You, as a SignatureRecipient.' }),
      accessCode: t.arg.string({ description: 'The access code, if one is required.' }),
    },
    resolve: (_, args, ctx) => openSigning(ctx, args),
  }),
);

const SignatureValue = builder.inputType('SignatureValue', {
  description: 'What goes into one field.',
  fields: (t) => ({
    fieldId: t.id({ required: true, description: 'Which field of the signer.' }),
    value: t.string({
      required: true,
      description: 'What goes into it, in the form that its type requires.',
    }),
  }),
});

const signDocumentInput = mutationInput({
  description: 'A signature: every field of the signer at once.',
  fields: (t) => ({
    sessionId: t.id({ required: true, description: 'The session.' }),
    recipientId: t.id({ required: true, description: 'You, as a SignatureRecipient.' }),
    accessCode: t.string({
      description:
        'The access code, if one is required; one that was entered within the last hour still counts.',
    }),
    values: t.field({ type: [SignatureValue], required: true, description: 'What goes into the fields.' }),
    timeZone: t.string({
      description:
        'The time zone of the signer (IANA name, such as Europe/Berlin), in which the day is written into dates that are left empty. Default: that of their account, else UTC.',
    }),
  }),
});

const declineSignatureInput = mutationInput({
  description: 'A refusal to sign.',
  fields: (t) => ({
    sessionId: t.id({ required: true, description: 'The session.' }),
    recipientId: t.id({ required: true, description: 'You, as a SignatureRecipient.' }),
    accessCode: t.string({
      description:
        'The access code, if one is required; one that was entered within the last hour still counts.',
    }),
    reason: t.string({ description: 'Why, up to 2,000 characters.' }),
  }),
});

const signaturePayload = mutationPayload<SigningRow>({
  description: 'What became of the request.',
  fields: (t) => ({
    recipientId: t.exposeID('id', { description: 'The signer, as a SignatureRecipient.' }),
    state: t.expose('state', { type: SignatureRecipientState, description: 'Their state.' }),
    sessionCompleted: t.boolean({
      description: 'Whether that was the last signature.',
      resolve: ({ sessionState }) => sessionState === 'COMPLETED',
    }),
  }),
});

mutation('signDocument', {
  scope: 'signatures:write',
  description: 'Signs: once. CONFLICT if the signature is not requested at this moment, or was already made.',
  argument: 'The signature.',
  input: signDocumentInput,
  payload: signaturePayload,
  resolve: (input, ctx) => signDocument(ctx, input),
});

mutation('declineSignature', {
  scope: 'signatures:write',
  description: 'Refuses to sign, which stops the session.',
  argument: 'The refusal.',
  input: declineSignatureInput,
  payload: signaturePayload,
  resolve: (input, ctx) => declineSignature(ctx, input),
});
