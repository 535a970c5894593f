import {
  findInvitations,
  type Invitation as InvitationRow,
  invitationsOfOrganization,
  invitationsOfViewer,
} from '../../../domain/organizations/invitation.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization, OrganizationRole } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';
import { Viewer } from '../viewer/type.ts';

export const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  description:
    'An invitation to an organization, sent to an e-mail address. Visible to its owners and admins, and to the person with that address, who accepts or declines it.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization.' }),
    organizationName: t.exposeString('organizationName', { description: 'The name of the organization.' }),
    email: t.exposeString('email', { description: 'The e-mail address, in lower case.' }),
    role: t.expose('role', { type: OrganizationRole, description: 'What they may do once they accept.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    createdBy: t.field({
      type: User,
      description: 'Who created it.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
  }),
});

nodeType('Invitation', ({ load }, id) => load.one(findInvitations, id));

const DIRECTION = 'By age; oldest first by default.';

builder.objectField(Organization, 'invitations', (t) =>
  t.connection({
    type: Invitation,
    description: 'Its open invitations: all of them for owners and admins, your own for others.',
    args: { direction: t.arg({ type: OrderDirection, defaultValue: 'ASC', description: DIRECTION }) },
    resolve: ({ id }, args, ctx) =>
      connect(ctx, invitationsOfOrganization, { organizationId: id, id }, args, ({ direction, ...page }) => ({
        ...page,
        filter: {},
        orderBy: { field: 'CREATED_AT', direction: direction ?? 'ASC' },
      })),
  }),
);

builder.objectField(Viewer, 'invitations', (t) =>
  t.connection({
    type: Invitation,
    description: 'The invitations for you.',
    args: { direction: t.arg({ type: OrderDirection, defaultValue: 'ASC', description: DIRECTION }) },
    resolve: ({ id }, args, ctx) =>
      connect(ctx, invitationsOfViewer, { organizationId: '', id }, args, ({ direction, ...page }) => ({
        ...page,
        filter: {},
        orderBy: { field: 'CREATED_AT', direction: direction ?? 'ASC' },
      })),
  }),
);
