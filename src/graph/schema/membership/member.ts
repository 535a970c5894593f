import {
  findMemberFactors,
  findMembers,
  findOwnMembers,
  type Member as MemberRow,
  membersOfOrganization,
} from '../../../domain/organizations/member.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization, OrganizationRole, organizationOf } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';

/** Further fields: approvals/substitute.ts, groups/type.ts, oauth/service-account.ts. */
export const OrganizationMember = builder.objectRef<MemberRow>('OrganizationMember').implement({
  scope: 'organizations:read',
  description: 'Someone who belongs to an organization: a person, or the service account of an application.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization they belong to.' }),
    organization: t.field({
      type: Organization,
      description: 'That organization.',
      resolve: ({ organizationId }, _, ctx) => organizationOf(ctx, organizationId),
    }),
    user: t.field({
      type: User,
      description: 'The person, or the service account.',
      resolve: ({ userId: id, name, email }) => ({ id, name, email }),
    }),
    role: t.expose('role', { type: OrganizationRole, description: 'What they may do in it.' }),
    hasSecondFactor: t.boolean({
      nullable: true,
      hidden: { ...MANAGERS_ONLY, noApplication: true },
      description:
        'Whether their account has a second factor; for owners and admins of the organization, and null for others and for applications.',
      resolve: ({ id }, _, { load }) => load.one(findMemberFactors, id).map((row) => row?.hasSecondFactor),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they joined.' }),
    createdBy: t.field({
      type: User,
      description: 'Who invited them; for the founder, they themselves.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
  }),
});

nodeType('Membership', ({ load }, id) => load.one(findMembers, id), 'OrganizationMember');

const OrganizationMemberFilter = builder.inputType('OrganizationMemberFilter', {
  description: 'Which members a list holds; all conditions must match.',
  fields: (t) => ({
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
    emailPrefix: t.string({ description: 'What the e-mail address starts with, ignoring case.' }),
    emails: t.stringList({
      description: 'Only those with one of these e-mail addresses, ignoring case.',
    }),
    roles: t.field({ type: [OrganizationRole], description: 'Only those with one of these roles.' }),
    hasSecondFactor: t.boolean({
      description:
        'Only those whose account has a second factor, or only those whose account has none. Nobody where `OrganizationMember.hasSecondFactor` is null.',
    }),
  }),
});

export const BY_PERSON = {
  NAME: { description: 'The name, ignoring case.' },
  CREATED_AT: { description: 'When they joined.' },
  ROLE: { description: 'The role, from OWNER to GUEST.' },
} as const;

const OrganizationMemberOrder = orderInput('OrganizationMember', BY_PERSON);

builder.objectField(Organization, 'viewerMembership', (t) =>
  t.field({
    type: OrganizationMember,
    nullable: true,
    description: 'Your own membership in it.',
    resolve: ({ id }, _, { load }) => load.one(findOwnMembers, id, ({ organizationId }) => organizationId),
  }),
);

builder.objectField(Organization, 'members', (t) =>
  t.connection(
    {
      type: OrganizationMember,
      description: 'Its members. A guest sees themselves, and the members of the same projects.',
      args: {
        filter: t.arg({ type: OrganizationMemberFilter, description: 'Which of them.' }),
        orderBy: t.arg({
          type: OrganizationMemberOrder,
          description: 'The order; by name by default.',
        }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          membersOfOrganization,
          { organizationId: id, id },
          args,
          ({ filter, orderBy, ...page }) => ({
            ...page,
            filter: filter ?? {},
            orderBy: orderBy ?? { field: 'NAME', direction: 'ASC' },
          }),
        ),
    },
    connectionOf(OrganizationMember),
  ),
);
