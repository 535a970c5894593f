import {
  findGroups,
  type Group as GroupRow,
  groupsOfMember,
  groupsOfOrganization,
  membersOfGroup,
} from '../../../domain/groups/group.ts';
import { builder } from '../kernel/builder.ts';
import { BY_NAME_OR_AGE, connect, defaultOrder, fixedOrder, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { OrganizationMember } from '../membership/member.ts';
import { Organization, organizationOf } from '../organizations/type.ts';
import { Tracked, Versioned } from '../users/tracked.ts';

const byName = fixedOrder('NAME');

/** Further fields: project-members/project-group.ts. */
export const Group = builder.objectRef<GroupRow>('Group').implement({
  scope: 'organizations:read',
  description: 'People of an organization under a name, who take part in projects together.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    organization: t.field({
      type: Organization,
      description: 'That organization.',
      resolve: ({ organizationId }, _, ctx) => organizationOf(ctx, organizationId),
    }),
    name: t.exposeString('name', {
      description: 'Display name; no other group of the organization has it, ignoring case.',
    }),
    members: t.connection(
      {
        type: OrganizationMember,
        description:
          'Its members, at most 1,000, by name. A guest sees themselves, and the members of the same projects.',
        resolve: (group, args, ctx) => connect(ctx, membersOfGroup, group, args, byName),
      },
      connectionOf(OrganizationMember),
    ),
  }),
});

nodeType('Group', ({ load }, id) => load.one(findGroups, id));

const GroupFilter = builder.inputType('GroupFilter', {
  description: 'Which groups a list holds; all conditions must match.',
  fields: (t) => ({
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
  }),
});

const GroupOrder = orderInput('Group', BY_NAME_OR_AGE);

const byNameFirst = defaultOrder({ field: 'NAME', direction: 'ASC' });

builder.objectField(Organization, 'groups', (t) =>
  t.connection(
    {
      type: Group,
      description: 'Its groups of people. A guest sees those that they are in.',
      args: {
        filter: t.arg({ type: GroupFilter, description: 'Which of them.' }),
        orderBy: t.arg({ type: GroupOrder, description: 'The order; by name by default.' }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(ctx, groupsOfOrganization, { organizationId: id, id }, args, byNameFirst),
    },
    connectionOf(Group),
  ),
);

builder.objectField(OrganizationMember, 'groups', (t) =>
  t.connection(
    {
      type: Group,
      description: 'The groups they are in, by name. A guest sees those that they are in themselves.',
      resolve: (member, args, ctx) => connect(ctx, groupsOfMember, member, args, byName),
    },
    connectionOf(Group),
  ),
);
