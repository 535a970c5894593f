import { badInput } from '../../domain/kernel/errors.ts';
import {
  AddProjectMembersDocument,
  InviteMembersDocument,
  ListOrganizationMembersDocument,
  ListProjectMembersDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import type { Members } from '../wire/members.ts';
import { allPages } from '../wire/operations.ts';
import { pageRecord } from '../wire/pages.ts';
import {
  ORGANIZATION,
  organizationPath,
  PROJECT,
  projectPath,
  requireOrganization,
  requireProject,
} from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { invitationRecord, memberRecord, projectMemberRecord } from './record.ts';

const ORGANIZATION_MEMBERS = `${ORGANIZATION}/members`;

/** The contract has three roles in two flags. */
function roleOf(item: Members): 'ADMIN' | 'WRITER' | 'READER' {
  if (item.flag('IsAdmin') && item.flag('IsReadOnly'))
    throw badInput('IsReadOnly: an admin is no reader.', 'IsReadOnly');
  return item.flag('IsAdmin') ? 'ADMIN' : item.flag('IsReadOnly') ? 'READER' : 'WRITER';
}

const ORGANIZATION_ROLES = { ADMIN: 'ADMIN', WRITER: 'MEMBER', READER: 'GUEST' } as const;
const PROJECT_ROLES = { ADMIN: 'ADMIN', WRITER: 'EDITOR', READER: 'VIEWER' } as const;

export const memberRoutes: Route[] = [
  {
    id: 'listOrganizationMembers',
    method: 'GET',
    path: ORGANIZATION_MEMBERS,
    operations: allPages({
      operation: storedOperation(ListOrganizationMembersDocument),
      in: organizationPath,
      list: ({ organization }) => requireOrganization(organization).members,
      out: (members) => members.map(memberRecord),
    }),
  },
  route({
    id: 'addOrganizationMembers',
    method: 'POST',
    path: ORGANIZATION_MEMBERS,
    operation: storedOperation(InviteMembersDocument),
    in: (request) => ({
      input: {
        ...organizationPath(request),
        members: request.body
          .array()
          .map((item) => ({ email: item.required('UserEmail'), role: ORGANIZATION_ROLES[roleOf(item)] })),
      },
    }),
    out: ({ inviteMembers }) => inviteMembers.invitations.map(invitationRecord),
  }),
  route({
    id: 'listProjectMembers',
    method: 'GET',
    path: `${PROJECT}/members`,
    operation: storedOperation(ListProjectMembersDocument),
    in: (request) => ({ projectId: projectPath(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      const { members } = requireProject(project, request);
      return pageRecord('ProjectMembers', members, request.page.first, projectMemberRecord);
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
          .map((item) => ({ email: item.required('UserEmail'), role: PROJECT_ROLES[roleOf(item)] })),
      },
    }),
    out: ({ addProjectMembers }) => addProjectMembers.members.map(projectMemberRecord),
  }),
];
