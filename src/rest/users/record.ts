import { notFound } from '../../domain/kernel/errors.ts';
import { SCOPES } from '../../domain/kernel/scope.ts';
import type {
  ApiKeyRecordFragment,
  AuthorFragment,
  MembershipRecordFragment,
  OwnProjectMemberFragment,
  ProjectRecordFragment,
  Scope,
} from '../../generated/operations/graphql.ts';
import { memberRecord, ownProjectMember, projectMemberRecord } from '../members/record.ts';
import { organizationRecord } from '../organizations/record.ts';
import { projectRecord } from '../projects/record.ts';
import { text, time, ZERO_TIME } from '../wire/values.ts';

/** UserProfile. */
export const profileRecord = ({ name, email }: { name: string; email: string }) => ({
  UserProvider: 'email',
  UserEmail: email,
  UserName: name,
  UserNameOverride: '',
  UserPhone: '',
  OTPSMSNumber: '',
});

interface OpenWork {
  openTasks: number;
  pendingApprovals: number;
}

/** Why an organization or a project is listed, and whether the user has open work in it. */
export const assignments = (reason: string, { openTasks, pendingApprovals }: OpenWork) => ({
  AssignmentTypes: [
    reason,
    ...(openTasks > 0 ? ['Task'] : []),
    ...(pendingApprovals > 0 ? ['Approval'] : []),
  ],
  HasAssignment: openTasks + pendingApprovals > 0,
});

/** OrganizationMembershipPackage. Nobody is billed, and memberships do not expire. */
export function packageRecord({ viewerMembership, ...organization }: MembershipRecordFragment) {
  if (!viewerMembership) throw notFound('Organization');
  const { ID, CreatedOn, Name, ...record } = organizationRecord(organization);
  const member = memberRecord(viewerMembership);
  return {
    Organization: {
      ID,
      CreatedOn,
      BucketName: '',
      Name,
      NameLower: organization.name.toLowerCase(),
      CreatingUserID: record.CreatedByUserID,
      CreatingUserName: record.CreatedByUserName,
      CreatingUserEmail: record.CreatedByUserEmail,
      CrmAccountId: '',
      CrmLeadId: '',
      CrmContactId: '',
      CrmDealId: '',
      Disabled: false,
      IsMarkedForPurge: false,
      PurgeMarkedOn: ZERO_TIME,
      PurgeMarkedByUserID: '',
      PurgeMarkedByUserName: '',
      PurgeMarkedByUserEmail: '',
      SubscriptionRequired: record.SubscriptionRequired,
      SubscriptionFreeUsers: record.SubscriptionFreeUsers,
      SubscriptionExpiration: record.SubscriptionExpiration,
      SearchIndexRemovedForCostSavings: false,
      SearchIndexRestoredAtLeastOnce: false,
    },
    OrganizationMember: member,
    UserID: member.UserID,
    IsAdmin: member.IsAdmin,
    IsExpiringSoon: false,
    Expiration: record.SubscriptionExpiration,
    FreeUsers: record.SubscriptionFreeUsers,
    IsExpired: false,
  };
}

type ProjectMembership = ProjectRecordFragment & OwnProjectMemberFragment;

/** ProjectMembershipPackage. */
export const projectPackageRecord = (user: AuthorFragment) => (project: ProjectMembership) => ({
  OrganizationID: project.organizationId,
  OrganizationMemberID: text(project.organization.viewerMembership?.id),
  UserID: user.id,
  IsAdmin: project.viewerRole === 'ADMIN',
  Project: projectRecord(project),
  ProjectMember: projectMemberRecord(ownProjectMember(user, project)),
});

interface Owner {
  id: string;
  name: string;
  email: string;
}

/** The scopes of the graph by those of the contract: `documents:read` is DOCUMENTS_READ. */
export const SCOPES_BY_NAME = new Map(
  SCOPES.map((name) => [name as string, name.toUpperCase().replace(':', '_') as Scope]),
);

const scopeName = (scope: Scope): string => scope.toLowerCase().replace('_', ':');

/** APIKey. */
export const apiKeyRecord = (owner: Owner) => (key: ApiKeyRecordFragment) => ({
  ID: key.id,
  CreatedOn: key.createdAt,
  Name: key.name,
  UserID: owner.id,
  UserName: owner.name,
  UserEmail: owner.email,
  KeyPrefix: key.prefix,
  Scopes: key.scopes.map(scopeName),
  LastUsedOn: time(key.lastUsedAt),
  ExpiresOn: time(key.expiresAt),
});
