import { isOrganizationAdmin } from '../../../domain/access/role.ts';
import { invitationUrl } from '../../../domain/membership/invitation-link.ts';
import { MAX_RESENDS } from '../../../domain/membership/invitation-resend.ts';
import {
  findInvitations,
  type Invitation as InvitationRow,
  invitationsOfOrganization,
  invitationsOfViewer,
} from '../../../domain/organizations/invitation.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization, OrganizationRole } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';
import { Viewer } from '../viewer/type.ts';

/** Further fields: mails/type.ts. */
export const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  scope: 'organizations:read',
  description:
    'An invitation to an organization, sent to an e-mail address. Visible to its owners and admins, and to the person with that address, who accepts or declines it.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization.' }),
    organizationName: t.exposeString('organizationName', { description: 'The name of the organization.' }),
    email: t.exposeString('email', {
      description: 'The e-mail address, in lower case, its domain in ASCII.',
    }),
    role: t.expose('role', { type: OrganizationRole, description: 'What they may do once they accept.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    createdBy: t.field({
      type: User,
      description: 'Who created it.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
    invitedBy: t.field({
      type: User,
      description:
        'Who sent it last, whom to ask about it. It is withdrawn when they lose the right to invite.',
      resolve: (row, _, ctx) => author(ctx, row.invitedById),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when it can be accepted; sending it again renews that.',
    }),
    isExpired: t.exposeBoolean('isExpired', { description: 'Whether that time has passed.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', description: 'When it was sent last.' }),
    resendsLeft: t.int({
      description: 'How often it can still be sent again.',
      resolve: ({ resends }) => MAX_RESENDS - resends,
    }),
    url: t.string({
      nullable: true,
      description:
        'A link to pass on by hand. It does not prove the address, so it creates no account: who has none uses the one in the mail. Null for all but owners and admins of the organization, and once it has expired.',
      resolve: (row, _, { viewer, storage }) =>
        isOrganizationAdmin(viewer, row.organizationId) && !row.isExpired
          ? invitationUrl(storage, row, 'copied')
          : null,
    }),
  }),
});

nodeType('Invitation', ({ load }, id) => load.one(findInvitations, id));

const DIRECTION = 'By age; oldest first by default.';

builder.objectField(Organization, 'invitations', (t) =>
  t.connection(
    {
      type: Invitation,
      hidden: MANAGERS_ONLY,
      description:
        'Its invitations that are not answered, expired ones too: all of them for owners and admins, your own for others.',
      args: { direction: t.arg({ type: OrderDirection, defaultValue: 'ASC', description: DIRECTION }) },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          invitationsOfOrganization,
          { organizationId: id, id },
          args,
          ({ direction, ...page }) => ({
            ...page,
            filter: {},
            orderBy: { field: 'CREATED_AT', direction: direction ?? 'ASC' },
          }),
        ),
    },
    connectionOf(Invitation),
  ),
);

builder.objectField(Viewer, 'invitations', (t) =>
  t.connection(
    {
      type: Invitation,
      description: 'The invitations for you that have not expired.',
      args: { direction: t.arg({ type: OrderDirection, defaultValue: 'ASC', description: DIRECTION }) },
      resolve: ({ id }, args, ctx) =>
        connect(ctx, invitationsOfViewer, { organizationId: '', id }, args, ({ direction, ...page }) => ({
          ...page,
          filter: {},
          orderBy: { field: 'CREATED_AT', direction: direction ?? 'ASC' },
        })),
    },
    connectionOf(Invitation),
  ),
);
