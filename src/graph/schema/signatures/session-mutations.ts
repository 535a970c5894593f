import { renewSignatureLinks } from '../../../domain/signatures/signature-link.ts';
import type { SignatureRecipient as RecipientRow } from '../../../domain/signatures/signature-session.ts';
import {
  ensureSignatureSession,
  stopSignatureSession,
  updateSignatureSession,
} from '../../../domain/signatures/signature-session-change.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { SignatureSessionPayload } from './sealing.ts';
import { SignatureRecipient } from './session.ts';
import { SignatureDesign } from './states.ts';

const THIS_SESSION = 'The session you saw; NOT_FOUND when the document has a newer one.';

const EnsureSignatureSessionInput = builder.inputType('EnsureSignatureSessionInput', {
  description: 'The document whose session is requested.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
  }),
});

const SignatureRecipientInput = builder.inputType('SignatureRecipientInput', {
  description: 'A signer as they are to be.',
  fields: (t) => ({
    id: t.id({ description: 'The signer who stays, and changes; a new one when left out.' }),
    rank: t.int({
      description:
        'Lower ranks sign first; equal ranks at the same time. The position in the list, from 1, when left out.',
    }),
    email: t.string({ required: true, description: 'E-mail address.' }),
    fullName: t.string({ description: 'Full name; that of their account, or the address, when left out.' }),
  }),
});

const UpdateSignatureSessionInput = builder.inputType('UpdateSignatureSessionInput', {
  description:
    'What to do with the session of a document: it is reset, then saved, then begun, as far as you ask for it; all of it, or nothing. What is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({
      required: true,
      description: 'Which document; a draft is created when it has no session.',
    }),
    sessionId: t.id({ description: THIS_SESSION }),
    reset: t.boolean({
      description:
        'With true: ends the session, revokes its links, and replaces it by a draft with the same signers and empty fields. CONFLICT for a completed session.',
    }),
    design: t.field({ type: SignatureDesign, description: 'How the fields come about.' }),
    useAccessCode: t.boolean({ description: 'Whether signers have to give an access code.' }),
    accessCode: t.string({ description: 'That code, 4 to 64 characters; it is stored as a hash.' }),
    useCustomMail: t.boolean({ description: 'Whether requests have a text of their own.' }),
    customSubject: t.string({ description: 'The subject of that text; an empty string removes it.' }),
    customBody: t.string({ description: 'That text; an empty string removes it.' }),
    placeInitials: t.boolean({ description: 'Quick design asks for initials.' }),
    placeFullName: t.boolean({ description: 'Quick design asks for the full name.' }),
    placeEmail: t.boolean({ description: 'Quick design asks for the e-mail address.' }),
    placeTitle: t.boolean({ description: 'Quick design asks for the title.' }),
    recipients: t.field({
      type: [SignatureRecipientInput],
      description:
        'Its signers from now on, at most 100: replaces the list. Fields of signers that are left out stay, without a signer.',
    }),
    begin: t.boolean({
      description:
        'With true: requests the signatures of the lowest rank. CONFLICT unless it is a draft whose every signer has a field.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const StopSignatureSessionInput = builder.inputType('StopSignatureSessionInput', {
  description: 'The session to stop.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
    sessionId: t.id({ description: THIS_SESSION }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const RenewSignatureLinksInput = builder.inputType('RenewSignatureLinksInput', {
  description: 'Signers who get a new link: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'The document they sign.' }),
    recipientIds: t.idList({
      required: true,
      description: 'Which signers; the signature of each has to be requested at this moment.',
    }),
  }),
});

const RenewSignatureLinksPayload = builder
  .objectRef<{ recipients: RecipientRow[] }>('RenewSignatureLinksPayload')
  .implement({
    description: 'The signers with their new links.',
    fields: (t) => ({
      recipients: t.expose('recipients', {
        type: [SignatureRecipient],
        description: 'In the order of the input.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  ensureSignatureSession: t.field({
    type: SignatureSessionPayload,
    description:
      'Gives the session of a document that is open, or else its newest, and makes a draft when there is none. Takes the role EDITOR.',
    args: {
      input: t.arg({ type: EnsureSignatureSessionInput, required: true, description: 'The document.' }),
    },
    resolve: async (_, { input }, ctx) => ({ session: await ensureSignatureSession(ctx, input) }),
  }),
  updateSignatureSession: t.field({
    type: SignatureSessionPayload,
    description: 'Resets, saves and begins the session of a document. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UpdateSignatureSessionInput, required: true, description: 'What to do.' }) },
    resolve: async (_, { input }, ctx) => ({ session: await updateSignatureSession(ctx, input) }),
  }),
  stopSignatureSession: t.field({
    type: SignatureSessionPayload,
    description:
      'Stops a session that is under way; its links are dead at once. CONFLICT for any other. Takes the role EDITOR.',
    args: {
      input: t.arg({ type: StopSignatureSessionInput, required: true, description: 'Which session.' }),
    },
    resolve: async (_, { input }, ctx) => ({ session: await stopSignatureSession(ctx, input) }),
  }),
  renewSignatureLinks: t.field({
    type: RenewSignatureLinksPayload,
    description: 'Gives signers new links; the old ones are dead. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: RenewSignatureLinksInput, required: true, description: 'Which signers.' }) },
    resolve: async (_, { input }, ctx) => ({ recipients: await renewSignatureLinks(ctx, input) }),
  }),
}));
