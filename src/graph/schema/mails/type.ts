import { isOrganizationAdmin } from '../../../domain/access/role.ts';
import {
  type Delivery as DeliveryRow,
  deliveriesOf,
  findMails,
  type Mail as MailRow,
  mailsOfOrganization,
} from '../../../domain/mails/mail.ts';
import { LISTED_KINDS, type MailKind as MailKindName, rulesOf } from '../../../domain/mails/mail-kind.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Invitation } from '../membership/invitation.ts';
import { Organization } from '../organizations/type.ts';
import { foundRecipient, SignatureRecipient } from '../signatures/recipient.ts';
import { author, User } from '../users/type.ts';

const MailState = builder.enumType('MailState', {
  description: 'What became of a mail.',
  values: {
    WAITING: { description: 'It is tried at `nextAttemptAt`.' },
    SENDING: { description: 'It is being handed over.' },
    SENT: {
      description: 'The mail server has accepted it. That does not mean that it was delivered or read.',
    },
    OUTBOX: { description: 'There is no mail server: it is stored, and can be read at /outbox.' },
    NOT_CONFIGURED: { description: 'There is no mail server: nothing was sent.' },
    REFUSED: { description: 'The mail server refused it for good.' },
    GIVEN_UP: { description: 'No attempt succeeded within three days, or in time.' },
    UNCERTAIN: { description: 'It may have arrived: the connection ended before the server had answered.' },
    CANCELLED: { description: 'What it was about had ended before it was sent.' },
  } as const,
});

const MailKind = builder.enumType('MailKind', {
  description: 'What a mail is about.',
  values: Object.fromEntries(
    LISTED_KINDS.map((kind) => [kind, { description: rulesOf(kind).description }]),
  ) as Record<MailKindName, { description: string }>,
});

const Delivery = builder.objectRef<Omit<DeliveryRow, 'id'>>('Delivery').implement({
  description: 'What became of the mail about an object.',
  fields: (t) => ({
    mailId: t.exposeID('mailId', { description: 'The mail, for `retryMail`.' }),
    state: t.expose('state', { type: MailState, description: 'Its state.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    nextAttemptAt: t.expose('nextAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried next; null once it has ended.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was sent, refused, given up or cancelled.',
    }),
    mayHaveArrived: t.boolean({
      description:
        'Whether an attempt ended without an answer of the server, so that the recipient may have it, or have it twice.',
      resolve: ({ uncertainAt }) => uncertainAt !== null,
    }),
    answer: t.exposeString('answer', {
      nullable: true,
      description: 'The last answer of the mail server, or the reason of the state.',
    }),
  }),
});

export const Mail = builder.objectRef<MailRow>('Mail').implement({
  scope: 'read',
  description: 'A mail that an organization has caused, for its owners and admins. Its text is not stored.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization.' }),
    kind: t.expose('kind', { type: MailKind, description: 'What it is about.' }),
    to: t.exposeString('toEmail', { description: 'To which address.' }),
    subjectId: t.exposeID('subjectId', { nullable: true, description: 'The id of what it is about.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was queued first.' }),
    createdBy: t.field({
      type: User,
      nullable: true,
      description: 'Who caused it; null for the server.',
      resolve: ({ createdById }, _, ctx) => (createdById ? author(ctx, createdById) : null),
    }),
    delivery: t.field({
      type: Delivery,
      description: 'What became of it.',
      resolve: (row) => row,
    }),
  }),
});

nodeType('Mail', ({ load }, id) => load.one(findMails, id));

const MailFilter = builder.inputType('MailFilter', {
  description: 'Which mails a list holds; all conditions must match.',
  fields: (t) => ({
    states: t.field({ type: [MailState], description: 'Only those in one of these states.' }),
    kinds: t.field({ type: [MailKind], description: 'Only those of one of these kinds.' }),
    mayHaveArrived: t.boolean({
      description: 'Only those of which it is unknown whether they arrived, or only the others.',
    }),
  }),
});

builder.objectField(Organization, 'mails', (t) =>
  t.connection(
    {
      type: Mail,
      hidden: MANAGERS_ONLY,
      description: 'The mails of the last 90 days, for its owners and admins; none for others.',
      args: {
        filter: t.arg({ type: MailFilter, description: 'Which of them.' }),
        direction: t.arg({
          type: OrderDirection,
          defaultValue: 'DESC',
          description: 'By age; newest first by default.',
        }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          mailsOfOrganization,
          { organizationId: id, id },
          args,
          ({ filter, direction, ...page }) => ({
            ...page,
            filter: filter ?? {},
            orderBy: { field: 'CREATED_AT', direction: direction ?? 'DESC' },
          }),
        ),
    },
    connectionOf(Mail),
  ),
);

builder.objectField(Invitation, 'delivery', (t) =>
  t.field({
    type: Delivery,
    nullable: true,
    description:
      'What became of the mail to the address. Null for all but owners and admins of the organization.',
    resolve: ({ id, organizationId }, _, ctx) =>
      isOrganizationAdmin(ctx.viewer, organizationId) ? ctx.load.one(deliveriesOf, id) : null,
  }),
);

builder.prismaObjectField(SignatureRecipient, 'delivery', (t) =>
  t.field({
    type: Delivery,
    nullable: true,
    description: 'What became of the newest mail with the request. Null for all but editors of the project.',
    resolve: (row, _, ctx) =>
      foundRecipient(ctx, row, (found) => (found.viewerCanEdit ? ctx.load.one(deliveriesOf, row.id) : null)),
  }),
);
