import { linkSecret, signingUrl } from '../../../domain/signatures/signature-link.ts';
import { remindableFrom } from '../../../domain/signatures/signature-reminder.ts';
import { findSignatureRecipients } from '../../../domain/signatures/signature-session.ts';
import { builder } from '../kernel/builder.ts';
import { foundRow } from '../kernel/found-row.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { author, User } from '../users/type.ts';
import { SignatureRecipientState } from './states.ts';

/** Signers as their finder reads them. */
export const foundRecipient = foundRow(findSignatureRecipients, 'viewerCanEdit', 'Signer');

/** Further fields: mails/type.ts. */
export const SignatureRecipient = builder.prismaObject('SignatureRecipient', {
  scope: 'signatures:read',
  description: 'A signer of a session, with or without an account.',
  interfaces: [Node],
  fields: (t) => ({
    sessionId: t.exposeID('sessionId', { description: 'The session.' }),
    rank: t.exposeInt('rank', { description: 'Lower ranks sign first; equal ranks at the same time.' }),
    email: t.exposeString('email', { description: 'E-mail address, in lower case, its domain in ASCII.' }),
    fullName: t.exposeString('fullName', { description: 'Full name.' }),
    user: t.field({
      type: User,
      nullable: true,
      description: 'Their account, if they have one in the organization: they may sign with it.',
      resolve: ({ userId }, _, ctx) => (userId ? author(ctx, userId) : null),
    }),
    memberId: t.id({
      nullable: true,
      description: 'Their id as a member of the project, or else of the organization; null for an outsider.',
      resolve: (row, _, ctx) => foundRecipient(ctx, row, (found) => found.memberId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were added.' }),
  }),
});

/** Their signing link. */
builder.prismaObjectFields(SignatureRecipient, (t) => ({
  linkSecret: t.string({
    nullable: true,
    description:
      'The secret of their own link (`uniqueId` in REST v1): anyone who has it signs as them. For editors of the project, from the request until the link ends.',
    resolve: (row, _, ctx) => foundRecipient(ctx, row, (found) => linkSecret(ctx, found)),
  }),
  signingUrl: t.string({
    nullable: true,
    description: 'The page on which they sign, without an account. It holds that secret.',
    resolve: (row, _, ctx) => foundRecipient(ctx, row, (found) => signingUrl(ctx, found)),
  }),
  linkExpiresAt: t.expose('linkExpiresAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When their link ends.',
  }),
  codeLockedAt: t.expose('codeLockedAt', {
    type: 'DateTime',
    nullable: true,
    description:
      'When too many wrong access codes locked their link; null unless it is locked. A new link (renewSignatureLinks) accepts codes again.',
  }),
}));

/** What they have done, and when. */
builder.prismaObjectFields(SignatureRecipient, (t) => ({
  state: t.expose('state', { type: SignatureRecipientState, description: 'Their state.' }),
  requestedAt: t.expose('requestedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the signature was requested.',
  }),
  requestSentAt: t.expose('requestSentAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the mail server first accepted a mail with the request; null if it has not.',
  }),
  remindersSent: t.exposeInt('remindersSent', {
    description: 'How many mails with a reminder the mail server has accepted.',
  }),
  nextReminderAt: t.expose('nextReminderAt', {
    type: 'DateTime',
    nullable: true,
    description:
      'When they are reminded next; null if it is not their turn, after the last reminder, or if they want none.',
  }),
  remindableFrom: t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'From when `remindSigners` reminds them: 24 hours after the last mail that asked them. Null if it is not their turn.',
    resolve: (row, _, ctx) => foundRecipient(ctx, row, remindableFrom),
  }),
  completedAt: t.expose('completedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When they signed.',
  }),
  declinedReason: t.exposeString('declinedReason', {
    nullable: true,
    description: 'Why they declined.',
  }),
  ipAddress: t.string({
    nullable: true,
    description: 'The network address from which they signed or declined, for editors of the project.',
    resolve: (row, _, ctx) =>
      foundRecipient(ctx, row, (found) => (found.viewerCanEdit ? row.ipAddress : null)),
  }),
}));

nodeType('SignatureRecipient', ({ load }, id) => load.one(findSignatureRecipients, id));
