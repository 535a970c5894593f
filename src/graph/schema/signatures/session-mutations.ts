import { renewSignatureLinks } from '../../../domain/signatures/signature-link.ts';
import { remindSigners } from '../../../domain/signatures/signature-reminder.ts';
import type { SignatureRecipient as RecipientRow } from '../../../domain/signatures/signature-session.ts';
import {
  ensureSignatureSession,
  stopSignatureSession,
  updateSignatureSession,
} from '../../../domain/signatures/signature-session-change.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { SignatureRecipient } from './recipient.ts';
import { signatureSessionPayload } from './sealing.ts';
import { SignatureDesign } from './states.ts';

const THIS_SESSION = 'The session you saw; NOT_FOUND when the document has a newer one.';

const ensureSignatureSessionInput = mutationInput({
  description: 'The document whose session is requested.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
  }),
});

const SignatureRecipientInput = builder.inputType('SignatureRecipientInput', {
  description: 'A signer after the change.',
  fields: (t) => ({
    id: t.id({ description: 'The existing signer to change; a new one if omitted.' }),
    rank: t.int({
      description:
        'Lower ranks sign first; equal ranks at the same time. The position in the list, from 1, if omitted.',
    }),
    email: t.string({ required: true, description: 'E-mail address.' }),
    fullName: t.string({ description: 'Full name; that of their account, or the address, if omitted.' }),
  }),
});

const updateSignatureSessionInput = mutationInput({
  description:
    'Steps for the session of a document: reset, save, begin. All requested steps are done, or none. Omitted members keep their values.',
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
    design: t.field({ type: SignatureDesign, description: 'How the fields are created.' }),
    useAccessCode: t.boolean({ description: 'Whether signers have to enter an access code.' }),
    accessCode: t.string({ description: 'That code, 4 to 64 characters; it is stored as a hash.' }),
    useCustomMail: t.boolean({ description: 'Whether requests have a custom text.' }),
    customSubject: t.string({ description: 'The subject of that text; an empty string removes it.' }),
    customBody: t.string({ description: 'That text; an empty string removes it.' }),
    placeInitials: t.boolean({ description: 'Quick design asks for initials.' }),
    placeFullName: t.boolean({ description: 'Quick design asks for the full name.' }),
    placeEmail: t.boolean({ description: 'Quick design asks for the e-mail address.' }),
    placeTitle: t.boolean({ description: 'Quick design asks for the title.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'When the time to sign ends, within a year; without a choice with the last link. Nobody can sign after that.',
    }),
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

const stopSignatureSessionInput = mutationInput({
  description: 'The session to stop.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
    sessionId: t.id({ description: THIS_SESSION }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

/** An input that names signers of one document. */
const signersInput = (description: string, recipientIds: string) =>
  mutationInput({
    description,
    fields: (t) => ({
      organizationId: t.id({ description: WITHIN }),
      projectId: t.id({ description: WITHIN_PROJECT }),
      documentId: t.id({ required: true, description: 'The document they sign.' }),
      recipientIds: t.idList({ required: true, description: recipientIds }),
    }),
  });

const signersPayload = (description: string) =>
  mutationPayload<{ recipients: RecipientRow[] }>({
    description,
    fields: (t) => ({
      recipients: t.expose('recipients', {
        type: [SignatureRecipient],
        description: 'In the order of the input.',
      }),
    }),
  });

mutation('ensureSignatureSession', {
  scope: 'signatures:write',
  description:
    'Returns the open session of a document, or else its newest, and creates a draft if there is none. Requires the role EDITOR.',
  argument: 'The document.',
  input: ensureSignatureSessionInput,
  payload: signatureSessionPayload,
  resolve: async (input, ctx) => ({ session: await ensureSignatureSession(ctx, input) }),
});

mutation('updateSignatureSession', {
  scope: 'signatures:write',
  description: 'Resets, saves and begins the session of a document. Requires the role EDITOR in the project.',
  argument: 'What to do.',
  input: updateSignatureSessionInput,
  payload: signatureSessionPayload,
  resolve: async (input, ctx) => ({ session: await updateSignatureSession(ctx, input) }),
});

mutation('stopSignatureSession', {
  scope: 'signatures:write',
  description:
    'Stops an active session; its links stop working at once. CONFLICT for any other. Requires the role EDITOR.',
  argument: 'Which session.',
  input: stopSignatureSessionInput,
  payload: signatureSessionPayload,
  resolve: async (input, ctx) => ({ session: await stopSignatureSession(ctx, input) }),
});

mutation('renewSignatureLinks', {
  scope: 'signatures:write',
  description:
    'Creates new links for signers; the old ones stop working. Requires the role EDITOR in the project.',
  argument: 'Which signers.',
  input: signersInput(
    'Signers who get a new link: all get one, or none.',
    'Which signers; the signature of each must currently be requested.',
  ),
  payload: signersPayload('The signers with their new links.'),
  batch: { items: 'recipientIds', empty: { recipients: [] } },
  resolve: async (input, ctx) => ({ recipients: await renewSignatureLinks(ctx, input) }),
});

mutation('remindSigners', {
  scope: 'signatures:write',
  description:
    'Mails a reminder to signers. CONFLICT within 24 hours of the last mail, with the time from which it works. Requires the role EDITOR in the project.',
  argument: 'Which signers.',
  input: signersInput(
    'Signers to remind: all of them, or none.',
    'Which signers; it must be the turn of each, and 24 hours after their last mail.',
  ),
  payload: signersPayload('The signers, with a reminder in the queue.'),
  batch: { items: 'recipientIds', empty: { recipients: [] } },
  resolve: async (input, ctx) => ({ recipients: await remindSigners(ctx, input) }),
});
