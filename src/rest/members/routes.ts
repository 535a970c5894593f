import { badInput, notFound } from '../../domain/kernel/errors.ts';
import {
  AddProjectMembersDocument,
  InviteMembersDocument,
  ListOrganizationMembersDocument,
  ListProjectMembersDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { everyPage } from '../wire/every-page.ts';
import { PROJECT, place } from '../wire/path.ts';
import type { Members } from '../wire/read.ts';
import { type Row, row } from '../wire/route.ts';
import { paged } from '../wire/wire.ts';
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

export const memberRows: Row[] = [
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
  row({
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
  row({
    id: 'listProjectMembers',
    method: 'GET',
    path: `${PROJECT}/members`,
    operation: storedOperation(ListProjectMembersDocument),
    in: (request) => ({ projectId: place(request).projectId, ...request.page }),
    out: ({ project }, request) => {
      if (project?.organizationId !== place(request).organizationId) throw notFound('Project');
      return paged('ProjectMembers', project.members, request.page.first, projectMemberRecord);
    },
  }),
  row({
    id: 'addProjectMembers',
    method: 'POST',
    path: `${PROJECT}/members`,
    operation: storedOperation(AddProjectMembersDocument),
    in: (request) => ({
      input: {
        ...place(request),
        members: request.body
          .array()
          .map((item) => ({ email: item.required('UserEmail'), role: IN_PROJECT[rank(item)] })),
      },
    }),
    out: ({ addProjectMembers }) => addProjectMembers.members.map(projectMemberRecord),
  }),
];

const organizationIn = (path: Record<string, string>) => ({ organizationId: path.organizationId as string });
