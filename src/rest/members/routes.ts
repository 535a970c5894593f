import { badInput, notFound } from '../../domain/kernel/errors.ts';
import {
  AddProjectMembersDocument,
  InviteMembersDocument,
  ListOrganizationMembersDocument,
  ListProjectMembersDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { everyPage } from '../wire/every-page.ts';
import { PROJECT, projectPath } from '../wire/path.ts';
import type { Members } from '../wire/read.ts';
import { type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';
import { invitedRecord, memberRecord, projectMemberRecord } from './record.ts';

const ORGANIZATION_MEMBERS = '/organizations/:organizationId/members';
const LIST = storedOperation(ListOrganizationMembersDocument);

/** Two flags tell three roles. */
function rank(item: Members): 'ADMIN' | 'WRITER' | 'READER' {
  if (item.flag('IsAdmin') && item.flag('IsReadOnly'))
    throw badInput('IsReadOnly: an admin is no reader.', 'IsReadOnly');
  return item.flag('IsAdmin') ? 'ADMIN' : item.flag('IsReadOnly') ? 'READER' : 'WRITER';
}

const IN_ORGANIZATION = { ADMIN: 'ADMIN', WRITER: 'MEMBER', READER: 'GUEST' } as const;
const IN_PROJECT = { ADMIN: 'ADMIN', WRITER: 'EDITOR', READER: 'VIEWER' } as const;

export const memberRoutes: Route[] = [
  {
    id: 'listOrganizationMembers',
    method: 'GET',
    path: ORGANIZATION_MEMBERS,
    scope: LIST.scope,
    run: (request, execute) =>
      everyPage(async (after) => {
        const { organization } = await execute(LIST, { ...organizationIn(request.path), after });
        if (!organization) throw notFound('Organization');
        const { nodes, pageInfo } = organization.members;
        return { pageInfo, nodes: nodes.map(memberRecord) };
      }),
  },
  route({
    id: 'addOrganizationMembers',
    method: 'POST',
    path: ORGANIZATION_MEMBERS,
    operation: storedOperation(InviteMembersDocument),
    in: ({ path, body }) => ({
      input: {
        ...organizationIn(path),
        members: body
          .array()
          .map((item) => ({ email: item.required('UserEmail'), role: IN_ORGANIZATION[rank(item)] })),
      },
    }),
    out: ({ inviteMembers }) => inviteMembers.invitations.map(invitedRecord),
  }),
  route({
    id: 'listProjectMembers',
    method: 'GET',
    path: `${PROJECT}/members`,
    operation: storedOperation(ListProjectMembersDocument),
    in: (request) => ({ projectId: projectPath(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return pageRecord('ProjectMembers', project.members, request.page.first, projectMemberRecord);
    },
  }),
  route({
    id: 'addProjectMembers',
    method: 'POST',
    path: `${PROJECT}/members`,
    operation: storedOperation(AddProjectMembersDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        members: request.body
          .array()
          .map((item) => ({ email: item.required('UserEmail'), role: IN_PROJECT[rank(item)] })),
      },
    }),
    out: ({ addProjectMembers }) => addProjectMembers.members.map(projectMemberRecord),
  }),
];

const organizationIn = (path: Record<string, string>) => ({ organizationId: path.organizationId as string });
