import { AddProjectMembersDocument, InviteMembersDocument } from '../../generated/operations/graphql.ts';
import { storedMutation } from '../../graph/http/execute.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import type { Body } from '../wire/body.ts';
import type { Members } from '../wire/members.ts';
import { ORGANIZATION, organizationPath, PROJECT, projectPath } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { newMember, newProjectMember, personKeyIn } from './input.ts';
import { organizationMembers, projectMembers } from './list.ts';
import { invitationRecord, memberRecord, projectInvitationRecord, projectMemberRecord } from './record.ts';

const ORGANIZATION_MEMBERS = `${ORGANIZATION}/members`;

const isPerson = (record: Record<string, unknown>, item: Members): boolean => {
  const key = personKeyIn(item);
  return key !== undefined && record[key] === normalizedValue(key, item.required(key));
};

const normalizedValue = (key: string, value: string) => (key === 'UserEmail' ? foldEmail(value) : value);

const isOfAddress = ({ UserEmail }: Record<string, unknown>, item: Members): boolean =>
  UserEmail === foldEmail(item.required('UserEmail'));

/** The record of each item of the body, in its order. */
const inBodyOrder = <Row>(
  body: Body,
  records: readonly Row[],
  isOf: (record: Row, item: Members) => boolean,
) => body.array().map((item) => records.find((record) => isOf(record, item)));

export const memberRoutes: Route[] = [
  {
    id: 'listOrganizationMembers',
    method: 'GET',
    path: ORGANIZATION_MEMBERS,
    operations: organizationMembers,
  },
  route({
    id: 'addOrganizationMembers',
    names: { members: '', ...newMember.names },
    method: 'POST',
    path: ORGANIZATION_MEMBERS,
    operation: storedMutation(InviteMembersDocument),
    in: (request) => ({
      input: {
        ...organizationPath(request),
        keepExisting: true,
        members: request.body.array().map(newMember),
      },
    }),
    out: ({ inviteMembers: { members, invitations } }, { body }) =>
      inBodyOrder(body, [...members.map(memberRecord), ...invitations.map(invitationRecord)], isOfAddress),
  }),
  {
    id: 'listProjectMembers',
    names: { emails: 'metaFieldFilters_json', emailPrefix: 'metaFieldFilters_json' },
    method: 'GET',
    path: `${PROJECT}/members`,
    operations: projectMembers,
  },
  route({
    id: 'addProjectMembers',
    names: { members: '', ...newProjectMember.names },
    method: 'POST',
    path: `${PROJECT}/members`,
    operation: storedMutation(AddProjectMembersDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        keepExisting: true,
        members: request.body.array().map(newProjectMember),
      },
    }),
    out: ({ addProjectMembers: { members, invitations } }, { body }) =>
      inBodyOrder(
        body,
        [...members.map(projectMemberRecord), ...invitations.map(projectInvitationRecord)],
        isPerson,
      ),
  }),
];
