import {
  findProjectInvitations,
  invitationsOfProject,
  type ProjectInvitation as ProjectInvitationRow,
} from '../../../domain/membership/project-invitation.ts';
import { removeProjectInvitations } from '../../../domain/membership/project-invitation-change.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { BY_MEMBERS_SCOPE, WITHIN } from '../kernel/descriptions.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, ProjectRole, projectOf } from '../projects/type.ts';
import { author, User } from '../users/type.ts';

export const ProjectInvitation = builder.objectRef<ProjectInvitationRow>('ProjectInvitation').implement({
  scope: 'organizations:read',
  description:
    'A person who is invited to the organization, and joins a project when they accept. Visible to owners and admins of the organization.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization of the project.' }),
    invitationId: t.exposeID('invitationId', { description: 'The invitation to the organization.' }),
    projectId: t.exposeID('projectId', { description: 'The project they join.' }),
    project: t.field({
      type: Project,
      description: 'That project.',
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    email: t.exposeString('email', {
      description: 'Their e-mail address, in lower case, its domain in ASCII.',
    }),
    role: t.expose('role', { type: ProjectRole, description: 'Their role in the project once they accept.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were added.' }),
    createdBy: t.field({
      type: User,
      description: 'Who added them.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
  }),
});

nodeType('ProjectInvitation', ({ load }, id) => load.one(findProjectInvitations, id));

const ProjectInvitationFilter = builder.inputType('ProjectInvitationFilter', {
  description: 'Which invited people a list holds; all conditions must match.',
  fields: (t) => ({
    emailPrefix: t.string({ description: 'What the e-mail address starts with, ignoring case.' }),
    emails: t.stringList({
      description: 'Only those with one of these e-mail addresses, ignoring case.',
    }),
  }),
});

builder.objectField(Project, 'invitations', (t) =>
  t.connection(
    {
      type: ProjectInvitation,
      hidden: MANAGERS_ONLY,
      description:
        'The invited people who join the project when they accept. Empty for all but owners and admins of the organization.',
      args: {
        filter: t.arg({ type: ProjectInvitationFilter, description: 'Which of them.' }),
        direction: t.arg({
          type: OrderDirection,
          defaultValue: 'ASC',
          description: 'By age; oldest first by default.',
        }),
      },
      resolve: (project, args, ctx) =>
        connect(ctx, invitationsOfProject, project, args, ({ filter, direction, ...page }) => ({
          ...page,
          filter: filter ?? {},
          orderBy: { field: 'CREATED_AT', direction: direction ?? 'ASC' },
        })),
    },
    connectionOf(ProjectInvitation),
  ),
);

const removeProjectInvitationsInput = mutationInput({
  description: 'Invited people of one project: all are removed, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'From which project.' }),
    projectInvitationIds: t.idList({ required: true, description: 'Which ProjectInvitations.' }),
  }),
});

const removeProjectInvitationsPayload = mutationPayload<{ ids: string[] }>({
  description: 'Who was removed.',
  fields: (t) => ({
    projectInvitationIds: t.exposeIDList('ids', { description: 'The ids of the ProjectInvitations.' }),
  }),
});

mutation('removeProjectInvitations', {
  scope: 'members:write',
  description: `Removes invited people from a project; their invitations to the organization stay. Requires the role ADMIN in the project, and OWNER or ADMIN in the organization. ${BY_MEMBERS_SCOPE}`,
  argument: 'The people.',
  input: removeProjectInvitationsInput,
  payload: removeProjectInvitationsPayload,
  batch: { items: 'projectInvitationIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await removeProjectInvitations(ctx, input) }),
});
