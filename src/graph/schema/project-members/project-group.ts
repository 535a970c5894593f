import { findGroups, type Group as GroupRow } from '../../../domain/groups/group.ts';
import {
  groupsOfProject,
  groupsOfProjectMember,
  type ProjectGroup as ProjectGroupRow,
  projectsOfGroup,
} from '../../../domain/groups/project-group.ts';
import { Group } from '../groups/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { ProjectMember } from '../membership/project-member.ts';
import { Project, ProjectRole, projectOf } from '../projects/type.ts';
import { author, User } from '../users/type.ts';

const byName = fixedOrder('NAME');

export const ProjectGroup = builder.objectRef<ProjectGroupRow>('ProjectGroup').implement({
  scope: 'organizations:read',
  description: 'A group that is a member of a project: who is in the group is in the project.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization of both.' }),
    projectId: t.exposeID('projectId', { description: 'The project it was added to.' }),
    project: t.field({
      type: Project,
      description: 'That project.',
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    groupId: t.exposeID('groupId', { description: 'The group.' }),
    group: t.field({
      type: Group,
      description: 'That group.',
      resolve: ({ groupId }, _, { load }) => load.one(findGroups, groupId) as Promise<GroupRow>,
    }),
    role: t.expose('role', {
      type: ProjectRole,
      description:
        'What its members may do in the project at least; guests of the organization no more than VIEWER.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    createdBy: t.field({
      type: User,
      description: 'Who added it.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
  }),
});

builder.objectField(Project, 'groups', (t) =>
  t.connection(
    {
      type: ProjectGroup,
      description: 'The groups that are members of it, by name. A guest sees those that they are in.',
      resolve: (project, args, ctx) => connect(ctx, groupsOfProject, project, args, byName),
    },
    connectionOf(ProjectGroup),
  ),
);

builder.objectField(ProjectMember, 'groups', (t) =>
  t.connection(
    {
      type: ProjectGroup,
      description:
        'The groups by which they are in the project, by name. A guest sees those that they are in themselves.',
      resolve: (member, args, ctx) => connect(ctx, groupsOfProjectMember, member, args, byName),
    },
    connectionOf(ProjectGroup),
  ),
);

builder.objectField(Group, 'projects', (t) =>
  t.connection(
    {
      type: ProjectGroup,
      description: 'The projects that it is a member of, by name, of those that you see.',
      resolve: (group, args, ctx) => connect(ctx, projectsOfGroup, group, args, byName),
    },
    connectionOf(ProjectGroup),
  ),
);
