import type {
  AuthorFragment,
  InvitationRecordFragment,
  MemberRecordFragment,
  OrganizationRole,
  OwnProjectMemberFragment,
  ProjectInvitationRecordFragment,
  ProjectMemberRecordFragment,
} from '../../generated/operations/graphql.ts';
import { accessType, projectAccess } from '../projects/record.ts';
import { boolean, lower, nullable, one, record, string, time } from '../shape/record.ts';
import { ZERO_TIME } from '../wire/values.ts';

export const isAdmin = (role: OrganizationRole) => role === 'OWNER' || role === 'ADMIN';

type Member = MemberRecordFragment;

export const memberRecord = record<Member>(
  'OrganizationMember',
  'A member of an organization.',
  {
    ID: string((member) => member.id),
    CreatedOn: time((member) => member.createdAt),
    OrganizationID: string((member) => member.organization.id),
    OrganizationName: string((member) => member.organization.name),
    UserID: string((member) => member.user.id),
    UserName: string((member) => member.user.name),
    UserNameLower: lower((member) => member.user.name),
    UserEmail: string((member) => member.user.email),
    Disabled: boolean(() => false),
    IsReadOnly: boolean((member) => member.role === 'GUEST'),
    IsAdmin: boolean((member) => isAdmin(member.role)),
  },
  { ID: 'mem_01k95r0z8zab5cawveenzqyc8x' },
);

/** An invitation as an OrganizationMember: without a user, and disabled until it is accepted. */
export const invitationRecord = (invitation: InvitationRecordFragment) => ({
  ...memberRecord({
    id: invitation.id,
    createdAt: invitation.createdAt,
    role: invitation.role,
    organization: { id: invitation.organizationId, name: invitation.organizationName },
    user: { id: '', name: '', email: invitation.email },
  }),
  Disabled: true,
});

type ProjectMember = ProjectMemberRecordFragment;

export const projectMemberRecord = record<ProjectMember>(
  'ProjectMember',
  'A member of a project.',
  {
    ID: string((member) => member.id),
    CreatedOn: time((member) => member.createdAt),
    OrganizationMemberID: string((member) => member.organizationMemberId),
    OrganizationMemberIsAdmin: boolean(
      (member) => isAdmin(member.organizationRole),
      'Whether the member is an administrator of the organization.',
      true,
    ),
    OrganizationID: string((member) => member.project.organizationId),
    OrganizationName: string((member) => member.project.organization.name),
    ProjectID: string((member) => member.project.id),
    ProjectName: string((member) => member.project.name),
    ProjectIsDisabled: boolean((member) => member.project.disabled),
    ProjectAccessType: string((member) => accessType(member.project.access)),
    UserID: string((member) => member.user.id),
    UserName: string((member) => member.user.name),
    UserNameLower: lower((member) => member.user.name),
    UserEmail: string((member) => member.user.email),
    Disabled: boolean(() => false),
    IsReadOnly: boolean((member) => member.role === 'VIEWER'),
    IsAdmin: boolean((member) => member.role === 'ADMIN'),
    IsStakeholder: boolean(() => false, 'Always false: there are no stakeholders.'),
    ProjectAccess: nullable(one(projectAccess, (member) => member.project.access)),
  },
  { ID: 'pmb_01k9afa1j0yt7310rsv75c4thr' },
);

/** The caller as a ProjectMember: without id and time if they take part without having been added. */
export function ownProjectMember(user: AuthorFragment, project: OwnProjectMemberFragment): ProjectMember {
  const { viewerMembership, viewerRole, organization } = project;
  const { id = '', role = 'MEMBER' } = organization.viewerMembership ?? {};
  return (
    viewerMembership ?? {
      id: '',
      createdAt: ZERO_TIME,
      role: viewerRole,
      organizationRole: role,
      organizationMemberId: id,
      project,
      user,
    }
  );
}

/** An invited person as a ProjectMember: without a user, and disabled until the invitation is accepted. */
export const projectInvitationRecord = (invitation: ProjectInvitationRecordFragment) => ({
  ...projectMemberRecord({
    id: invitation.id,
    createdAt: invitation.createdAt,
    role: invitation.role,
    organizationRole: 'GUEST',
    organizationMemberId: invitation.invitationId,
    project: invitation.project,
    user: { id: '', name: '', email: invitation.email },
  }),
  Disabled: true,
});
