import { organizationsOfViewer } from '../../../domain/organizations/organization.ts';
import { builder } from '../kernel/builder.ts';
import { BY_NAME_OR_AGE, connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Organization } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';

const OrganizationOrder = orderInput('Organization', BY_NAME_OR_AGE);

/**
 * Further fields: accounts/type.ts, address-book.ts, approvals/lists.ts, client-data.ts, documents/lists.ts,
 * forms/type.ts, membership/invitation.ts, notifications/preferences.ts, notifications/type.ts, oauth/api-key.ts,
 * oauth/authorization.ts, security-event.ts, tasks/lists.ts.
 */
export const Viewer = builder.objectRef<{ id: string; name: string; email: string }>('Viewer').implement({
  scope: { scope: 'read', open: ['user', 'name', 'email', 'isEmailVerified', 'timeZone'] },
  description: 'You: the person whose credential the request carries.',
  fields: (t) => ({
    user: t.field({
      type: User,
      description: 'You, as others see you.',
      resolve: ({ id }, _, ctx) => author(ctx, id),
    }),
    name: t.exposeString('name', { description: 'Your full name.' }),
    email: t.exposeString('email', { description: 'Your e-mail address.' }),
    isEmailVerified: t.boolean({
      description:
        'Whether you have proved to read the mails to the address. Otherwise invitations to it are not shown to you.',
      resolve: (_, __, { viewer }) => viewer.isEmailVerified === true,
    }),
    organizations: t.connection(
      {
        type: Organization,
        description: 'The organizations you belong to.',
        args: {
          search: t.arg.string({ description: 'What the name starts with, ignoring case.' }),
          orderBy: t.arg({
            type: OrganizationOrder,
            description: 'The order; by age by default.',
          }),
        },
        resolve: ({ id }, args, ctx) =>
          connect(
            ctx,
            organizationsOfViewer,
            { organizationId: '', id },
            args,
            ({ search, orderBy, ...page }) => ({
              ...page,
              filter: { search },
              orderBy: orderBy ?? { field: 'CREATED_AT', direction: 'ASC' },
            }),
          ),
      },
      connectionOf(Organization),
    ),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    description: 'You: the person whose credential the request carries.',
    resolve: (_, __, { viewer }) => ({ id: viewer.userId, name: viewer.name, email: viewer.email }),
  }),
}));
