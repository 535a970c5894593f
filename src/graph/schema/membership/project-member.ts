import { effectiveProjectRole } from '../../../domain/access/role.ts';
import {
  findOwnProjectMembers,
  findProjectMembers,
  membersOfProject,
  type ProjectMember as ProjectMemberRow,
} from '../../../domain/membership/project-member.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { OrganizationRole } from '../organizations/type.ts';
import { Project, ProjectRole, projectOf } from '../projects/type.ts';
import { author, User } from '../users/type.ts';
import { BY_PERSON } from './member.ts';

/** Further fields: project-members/project-group.ts. */
export const ProjectMember = builder.objectRef<ProjectMemberRow>('ProjectMember').implement({
  scope: 'organizations:read',
  description: 'Someone who was added to a project, themselves or by a group.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization of the project.' }),
    projectId: t.exposeID('projectId', { description: 'The project they were added to.' }),
    project: t.field({
      type: Project,
      description: 'That project.',
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    user: t.field({
      type: User,
      description: 'The person.',
      resolve: ({ userId: id, name, email }) => ({ id, name, email }),
    }),
    role: t.expose('role', {
      type: ProjectRole,
      description:
        'Their role in it: the highest of their own and those of their groups; of a guest of the organization VIEWER.',
    }),
    ownRole: t.expose('ownRole', {
      type: ProjectRole,
      nullable: true,
      description: 'The role that they have in it themselves; null for who is in by groups only.',
    }),
    effectiveRole: t.field({
      type: ProjectRole,
      description:
        'What they may do in it: owners and admins of the organization are ADMIN everywhere, guests no more than VIEWER.',
      resolve: ({ organizationRole, role }) => effectiveProjectRole(organizationRole, role),
    }),
    organizationRole: t.expose('organizationRole', {
      type: OrganizationRole,
      description: 'What they may do in the organization.',
    }),
    organizationMemberId: t.exposeID('membershipId', {
      description: 'Their id as an OrganizationMember.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When they joined the project, or their group did.',
    }),
    createdBy: t.field({
      type: User,
      description: 'Who added them, or made the change by which their group brought them in.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
  }),
});

nodeType('ProjectMember', ({ load }, id) => load.one(findProjectMembers, id));

builder.objectField(Project, 'viewerMembership', (t) =>
  t.field({
    type: ProjectMember,
    nullable: true,
    description: 'Your own membership in it; null if you have access without it.',
    resolve: ({ id }, _, { load }) => load.one(findOwnProjectMembers, id, ({ projectId }) => projectId),
  }),
);

const ProjectMemberFilter = builder.inputType('ProjectMemberFilter', {
  description: 'Which members a list holds; all conditions must match.',
  fields: (t) => ({
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
    emailPrefix: t.string({ description: 'What the e-mail address starts with, ignoring case.' }),
    emails: t.stringList({
      description: 'Only those with one of these e-mail addresses, ignoring case.',
    }),
    roles: t.field({
      type: [ProjectRole],
      description: 'Only those with one of these roles as project members, their own or that of a group.',
    }),
  }),
});

const ProjectMemberOrder = orderInput('ProjectMember', BY_PERSON);

builder.objectField(Project, 'members', (t) =>
  t.connection(
    {
      type: ProjectMember,
      description:
        'Its project members. Owners and admins of the organization have access anyway, and to an open project all its members.',
      args: {
        filter: t.arg({ type: ProjectMemberFilter, description: 'Which of them.' }),
        orderBy: t.arg({
          type: ProjectMemberOrder,
          description: 'The order; by name by default.',
        }),
      },
      resolve: (project, args, ctx) =>
        connect(ctx, membersOfProject, project, args, ({ filter, orderBy, ...page }) => ({
          ...page,
          filter: filter ?? {},
          orderBy: orderBy ?? { field: 'NAME', direction: 'ASC' },
        })),
    },
    connectionOf(ProjectMember),
  ),
);
