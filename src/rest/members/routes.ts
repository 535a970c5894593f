import { badInput, badValue } from '../../domain/kernel/errors.ts';
import { AddProjectMembersDocument, InviteMembersDocument } from '../../generated/operations/graphql.ts';
import { storedMutation } from '../../graph/http/execute.ts';
import { typeOfId } from '../../lib/id.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import type { Body } from '../wire/body.ts';
import type { Members } from '../wire/members.ts';
import { ORGANIZATION, organizationPath, PROJECT, projectPath } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { organizationMembers, projectMembers } from './list.ts';
import { invitationRecord, memberRecord, projectInvitationRecord, projectMemberRecord } from './record.ts';

const ORGANIZATION_MEMBERS = `${ORGANIZATION}/members`;

/** The contract has three roles in two flags. */
function roleOf(item: Members): 'ADMIN' | 'WRITER' | 'READER' {
  if (item.flag('IsAdmin') && item.flag('IsReadOnly'))
    throw badValue(item.pathOf('IsReadOnly'), 'an admin is no reader.');
  return item.flag('IsAdmin') ? 'ADMIN' : item.flag('IsReadOnly') ? 'READER' : 'WRITER';
}

const ORGANIZATION_ROLES = { ADMIN: 'ADMIN', WRITER: 'MEMBER', READER: 'GUEST' } as const;
const PROJECT_ROLES = { ADMIN: 'ADMIN', WRITER: 'EDITOR', READER: 'VIEWER' } as const;

/** The members of a ProjectMember that can name the person; the first that is not empty does. */
const PERSON = ['OrganizationMemberID', 'UserID', 'UserEmail'] as const;

const keyIn = (item: Members) => PERSON.find((name) => item.text(name)?.trim());

/** The person of a record, which may be a ProjectMember or OrganizationMember as it was read. */
function personIn(item: Members) {
  const key = keyIn(item);
  if (!key)
    throw badInput(
      `One of ${PERSON.map((name) => item.pathOf(name)).join(', ')} must be set.`,
      item.pathOf('UserEmail'),
    );
  const value = item.required(key);
  if (key === 'UserEmail') return { email: value };
  if (key === 'UserID') return { userId: value };
  return typeOfId(value) === 'Invitation' ? { invitationId: value } : { organizationMemberId: value };
}

const isPerson = (record: Record<(typeof PERSON)[number], string>, item: Members): boolean => {
  const key = keyIn(item);
  return key !== undefined && record[key] === normalizedValue(key, item.required(key));
};

const normalizedValue = (key: string, value: string) => (key === 'UserEmail' ? foldEmail(value) : value);

const isOfAddress = ({ UserEmail }: { UserEmail: string }, item: Members): boolean =>
  UserEmail === foldEmail(item.required('UserEmail'));

/** The record of each item of the body, in its order. */
const inBodyOrder = <Row>(
  body: Body,
  records: readonly Row[],
  isOf: (record: Row, item: Members) => boolean,
) => body.array().map((item) => records.find((record) => isOf(record, item)));

const MEMBER_NAMES = { members: '', email: 'UserEmail', role: 'IsAdmin|IsReadOnly' };

export const memberRoutes: Route[] = [
  {
    id: 'listOrganizationMembers',
    method: 'GET',
    path: ORGANIZATION_MEMBERS,
    operations: organizationMembers,
  },
  route({
    id: 'addOrganizationMembers',
    names: MEMBER_NAMES,
    method: 'POST',
    path: ORGANIZATION_MEMBERS,
    operation: storedMutation(InviteMembersDocument),
    in: (request) => ({
      input: {
        ...organizationPath(request),
        keepExisting: true,
        members: request.body
          .array()
          .map((item) => ({ email: item.required('UserEmail'), role: ORGANIZATION_ROLES[roleOf(item)] })),
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
    names: {
      ...MEMBER_NAMES,
      person: '',
      organizationMemberId: 'OrganizationMemberID',
      invitationId: 'OrganizationMemberID',
      userId: 'UserID',
    },
    method: 'POST',
    path: `${PROJECT}/members`,
    operation: storedMutation(AddProjectMembersDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        keepExisting: true,
        members: request.body
          .array()
          .map((item) => ({ person: personIn(item), role: PROJECT_ROLES[roleOf(item)] })),
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
