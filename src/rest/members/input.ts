import { badInput, badValue } from '../../domain/kernel/errors.ts';
import type { OrganizationRole, ProjectRole } from '../../generated/operations/graphql.ts';
import { typeOfId } from '../../lib/id.ts';
import { combined, type InputMember, input } from '../shape/input.ts';
import { flag, requiredText } from '../shape/input-member.ts';
import type { Members } from '../wire/members.ts';

type Rights = 'ADMIN' | 'WRITER' | 'READER';

/** The contract has three roles in two flags. */
const role = <Role extends string>(roles: Record<Rights, Role>): InputMember<Role> => ({
  ...combined({ isAdmin: flag('IsAdmin'), isReadOnly: flag('IsReadOnly') }, (item, parts) => {
    const isAdmin = parts.isAdmin.read(item);
    const isReadOnly = parts.isReadOnly.read(item);
    if (isAdmin && isReadOnly) throw badValue(item.pathOf('IsReadOnly'), 'an admin is no reader.');
    return roles[isAdmin ? 'ADMIN' : isReadOnly ? 'READER' : 'WRITER'];
  }),
  names: { '': 'IsAdmin|IsReadOnly' },
});

export const newMember = input(
  'MemberInput',
  'A person to add or invite. A whole record may be sent; its other members are ignored.',
  {
    email: requiredText('UserEmail'),
    role: role<OrganizationRole>({ ADMIN: 'ADMIN', WRITER: 'MEMBER', READER: 'GUEST' }),
  },
  { example: { UserEmail: 'ines.kallio@example.test', IsAdmin: false, IsReadOnly: false } },
);

/** The members of a ProjectMember that can name the person; the first that is not empty does. */
const PERSON = ['OrganizationMemberID', 'UserID', 'UserEmail'] as const;

export const personKeyIn = (item: Members) => PERSON.find((name) => item.text(name)?.trim());

/** The person of a record, which may be a ProjectMember or OrganizationMember as it was read. */
function personIn(item: Members) {
  const key = personKeyIn(item);
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

const person: InputMember<ReturnType<typeof personIn>> = {
  members: {
    OrganizationMemberID: 'string The id of a member or of an invitation.',
    UserID: 'string',
    UserEmail: 'string',
  },
  names: { '': '' },
  nestedNames: {
    organizationMemberId: 'OrganizationMemberID',
    invitationId: 'OrganizationMemberID',
    userId: 'UserID',
    email: 'UserEmail',
  },
  read: personIn,
};

export const newProjectMember = input(
  'ProjectMemberInput',
  'A member of the organization, or a person invited to it, to add to a project. The first of OrganizationMemberID, UserID and UserEmail that is not empty names the person. A whole record may be sent; its other members are ignored.',
  { person, role: role<ProjectRole>({ ADMIN: 'ADMIN', WRITER: 'EDITOR', READER: 'VIEWER' }) },
  { example: { UserEmail: 'ines.kallio@example.test', IsAdmin: false, IsReadOnly: false } },
);
