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
import { ZERO_TIME } from '../wire/values.ts';

export const isAdmin = (role: OrganizationRole) => role === 'OWNER' || role === 'ADMIN';

/** OrganizationMember. */
export const memberRecord = ({ user, organization, role, ...member }: MemberRecordFragment) => ({
  ID: member.id,
  CreatedOn: member.createdAt,
  OrganizationID: organization.id,
  OrganizationName: organization.name,
  UserID: user.id,
  UserName: user.name,
  UserNameLower: user.name.toLowerCase(),
  UserEmail: user.email,
  Disabled: false,
  IsReadOnly: role === 'GUEST',
  IsAdmin: isAdmin(role),
});

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

/** ProjectMember. */
export const projectMemberRecord = ({ user, project, role, ...member }: ProjectMemberRecordFragment) => ({
  ID: member.id,
  CreatedOn: member.createdAt,
  OrganizationMemberID: member.organizationMemberId,
  OrganizationMemberIsAdmin: isAdmin(member.organizationRole),
  OrganizationID: project.organizationId,
  OrganizationName: project.organization.name,
  ProjectID: project.id,
  ProjectName: project.name,
  ProjectIsDisabled: project.disabled,
  ProjectAccessType: accessType(project.access),
  UserID: user.id,
  UserName: user.name,
  UserNameLower: user.name.toLowerCase(),
  UserEmail: user.email,
  Disabled: false,
  IsReadOnly: role === 'VIEWER',
  IsAdmin: role === 'ADMIN',
  IsStakeholder: false,
  ProjectAccess: projectAccess(project.access),
});

/** The caller as a ProjectMember: without id and time if they take part without having been added. */
export function ownProjectMemberRecord(user: AuthorFragment, project: OwnProjectMemberFragment) {
  const { viewerMembership, viewerRole, organization } = project;
  const { id = '', role = 'MEMBER' } = organization.viewerMembership ?? {};
  return projectMemberRecord(
    viewerMembership ?? {
      id: '',
      createdAt: ZERO_TIME,
      role: viewerRole,
      organizationRole: role,
      organizationMemberId: id,
      project,
      user,
    },
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
