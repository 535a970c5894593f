import { notFound } from '../../domain/kernel/errors.ts';
import type {
  AuthorFragment,
  MemberRecordFragment,
  MembershipRecordFragment,
  OrganizationRecordFragment,
  OwnProjectMemberFragment,
  ProjectAccess,
  ProjectRecordFragment,
} from '../../generated/operations/graphql.ts';
import { isAdmin, memberRecord, ownProjectMember, projectMemberRecord } from '../members/record.ts';
import { freeMembers } from '../organizations/record.ts';
import { accessType, projectRecord } from '../projects/record.ts';
import {
  boolean,
  by,
  integer,
  lower,
  one,
  type RecordMembers,
  record,
  string,
  strings,
  time,
} from '../shape/record.ts';

export const profileRecord = record<{ name: string; email: string }>(
  'UserProfile',
  'The profile of the caller.',
  {
    UserProvider: string(() => 'email', 'How the user signs in: `email`.', 'email'),
    UserEmail: string((user) => user.email),
    UserName: string((user) => user.name),
    UserNameOverride: string(() => '', 'Always empty.'),
    UserPhone: string(() => '', 'Always empty.'),
    OTPSMSNumber: string(() => '', 'Always empty.'),
  },
);

/** An organization or a project in which the caller takes part: why it is listed, and what is open there. */
interface Participation {
  email: string;
  organization: { id: string; name: string };
  reason: 'OrganizationMember' | 'ProjectMember';
  viewerWork: { openTasks: number; pendingApprovals: number };
}

const organizationMembers: RecordMembers<Participation> = {
  UserEmail: string(({ email }) => email),
  OrganizationID: string(({ organization }) => organization.id),
  OrganizationName: string(({ organization }) => organization.name),
};

const workMembers: RecordMembers<Participation> = {
  AssignmentTypes: strings(({ reason, viewerWork: { openTasks, pendingApprovals } }) => [
    reason,
    ...(openTasks > 0 ? ['Task'] : []),
    ...(pendingApprovals > 0 ? ['Approval'] : []),
  ]),
  HasAssignment: boolean(({ viewerWork }) => viewerWork.openTasks + viewerWork.pendingApprovals > 0),
};

export const userOrganizationRecord = record<Participation>(
  'UserOrganization',
  'An organization in which the caller takes part.',
  {
    ...organizationMembers,
    ...workMembers,
    IsOrganizationMember: boolean(() => true, 'Whether the caller is a member of the organization.', true),
  },
);

interface ProjectParticipation extends Participation {
  project: { id: string; name: string; access: ProjectAccess; disabled: boolean };
}

export const userProjectRecord = record<ProjectParticipation>(
  'UserOrganizationProject',
  'A project in which the caller takes part.',
  {
    ...organizationMembers,
    ProjectID: string(({ project }) => project.id),
    ProjectName: string(({ project }) => project.name),
    ProjectAccessType: string(({ project }) => accessType(project.access)),
    ProjectIsDisabled: boolean(({ project }) => project.disabled),
    ...workMembers,
  },
);

type Membership = OrganizationRecordFragment & { viewerMembership: MemberRecordFragment };

const organizationRecord = record<Membership>(
  'Organization',
  'An organization, as memberships contain it.',
  {
    ID: string((organization) => organization.id),
    CreatedOn: time((organization) => organization.createdAt),
    BucketName: string(() => ''),
    Name: string((organization) => organization.name),
    NameLower: lower((organization) => organization.name),
    CreatingUserID: string(
      (organization) => organization.createdBy.id,
      'The id of the user who created it.',
      'usr_01k9wrma4tgvp725ak395bc86y',
    ),
    CreatingUserName: string(
      (organization) => organization.createdBy.name,
      'The name of the user who created it.',
      'Tove Ahlgren',
    ),
    CreatingUserEmail: string(
      (organization) => organization.createdBy.email,
      'The e-mail address of the user who created it.',
      'tove.ahlgren@example.test',
    ),
    CrmAccountId: string(() => '', 'Always empty.'),
    CrmLeadId: string(() => '', 'Always empty.'),
    CrmContactId: string(() => '', 'Always empty.'),
    CrmDealId: string(() => '', 'Always empty.'),
    Disabled: boolean(() => false),
    IsMarkedForPurge: boolean(() => false),
    PurgeMarkedOn: time(() => null),
    ...by<Membership>('PurgeMarked', () => null, ['ID', 'Name', 'Email']),
    SubscriptionRequired: boolean(() => false),
    SubscriptionFreeUsers: integer(freeMembers),
    SubscriptionExpiration: time(() => null),
    SearchIndexRemovedForCostSavings: boolean(() => false, 'Always false.'),
    SearchIndexRestoredAtLeastOnce: boolean(() => false, 'Always false.'),
  },
  { ID: 'org_01k94aw425639a3vvfgp21h2xa', Name: 'Harbour Works' },
);

/** Nobody is billed, and memberships do not expire. */
const membershipRecord = record<Membership>('OrganizationMembershipPackage', 'A membership of the caller.', {
  Organization: one(organizationRecord, (membership) => membership, 'The organization.'),
  OrganizationMember: one(
    memberRecord,
    ({ viewerMembership }) => viewerMembership,
    'The membership of the caller.',
  ),
  UserID: string(({ viewerMembership }) => viewerMembership.user.id),
  IsAdmin: boolean(({ viewerMembership }) => isAdmin(viewerMembership.role)),
  IsExpiringSoon: boolean(() => false, 'Always false: there are no subscriptions.'),
  Expiration: time(() => null, 'The end of the subscription; the zero time for none.'),
  FreeUsers: integer(freeMembers, 'Seats that are not billed.', 2),
  IsExpired: boolean(() => false, 'Always false: there are no subscriptions.'),
});

/** Throws NOT_FOUND for an organization of which the caller is no member. */
export function packageRecord({ viewerMembership, ...organization }: MembershipRecordFragment) {
  if (!viewerMembership) throw notFound('Organization');
  return membershipRecord({ ...organization, viewerMembership });
}

type ProjectMembership = ProjectRecordFragment & OwnProjectMemberFragment & { user: AuthorFragment };

export const projectPackageRecord = record<ProjectMembership>(
  'ProjectMembershipPackage',
  'A project in which the caller takes part.',
  {
    OrganizationID: string((project) => project.organizationId),
    OrganizationMemberID: string((project) => project.organization.viewerMembership?.id),
    UserID: string((project) => project.user.id),
    IsAdmin: boolean(
      (project) => project.viewerRole === 'ADMIN',
      'Whether the caller is an administrator of the project.',
    ),
    Project: one(projectRecord, (project) => project, 'The project.'),
    ProjectMember: one(
      projectMemberRecord,
      (project) => ownProjectMember(project.user, project),
      'The caller in the project.',
    ),
  },
);

export const userRecords = [
  profileRecord,
  userOrganizationRecord,
  userProjectRecord,
  organizationRecord,
  membershipRecord,
  projectPackageRecord,
];
