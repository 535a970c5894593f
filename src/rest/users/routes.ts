import { notFound } from '../../domain/kernel/errors.ts';
import {
  GetMembershipDocument,
  GetProfileDocument,
  ListMembershipsDocument,
  ListProjectWorkDocument,
  ListWorkDocument,
  type MembershipRecordFragment,
  UpdateProfileDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { memberRecord } from '../members/record.ts';
import { accessType, organizationRecord } from '../wire/common-records.ts';
import { everyPage } from '../wire/every-page.ts';
import { type Route, route } from '../wire/route.ts';
import { END_CURSOR, pageRecord, ZERO_TIME } from '../wire/wire.ts';

const PROFILE = '/user/profile';
const PACKAGES = '/organizationMembershipPackages';
const WORK = storedOperation(ListWorkDocument);

/** UserProfile. */
const profileRecord = ({ name, email }: { name: string; email: string }) => ({
  UserProvider: 'email',
  UserEmail: email,
  UserName: name,
  OTPSMSNumber: '',
});

interface Left {
  openTasks: number;
  pendingApprovals: number;
}

/** Why a place is listed, and whether something is left to do there. */
const assignments = (reason: string, { openTasks, pendingApprovals }: Left) => ({
  AssignmentTypes: [
    reason,
    ...(openTasks > 0 ? ['Task'] : []),
    ...(pendingApprovals > 0 ? ['Approval'] : []),
  ],
  HasAssignment: openTasks + pendingApprovals > 0,
});

/** OrganizationMembershipPackage. Nobody is billed, and nothing ends. */
function packageRecord({ viewerMembership, ...organization }: MembershipRecordFragment) {
  if (!viewerMembership) throw notFound('Organization');
  const { ID, CreatedOn, Name, ...record } = organizationRecord(organization);
  const member = memberRecord(viewerMembership);
  return {
    Organization: {
      ID,
      CreatedOn,
      BucketName: '',
      Name,
      NameLower: Name.toLowerCase(),
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

export const userRoutes: Route[] = [
  route({
    id: 'getUserProfile',
    method: 'GET',
    path: PROFILE,
    operation: storedOperation(GetProfileDocument),
    in: () => ({}),
    out: ({ viewer }) => profileRecord(viewer),
  }),
  route({
    id: 'updateUserProfile',
    method: 'PUT',
    path: PROFILE,
    operation: storedOperation(UpdateProfileDocument),
    in: ({ body }) => ({ input: { name: body.object().required('UserName') } }),
    out: ({ updateViewer }) => profileRecord(updateViewer.viewer),
  }),
  {
    id: 'listUserOrganizations',
    method: 'GET',
    path: '/user/organizations',
    scope: WORK.scope,
    run: (_, execute) =>
      everyPage(async (after) => {
        const { email, organizations } = (await execute(WORK, { after })).viewer;
        const nodes = organizations.nodes.map(({ id, name, viewerWork }) => ({
          UserEmail: email,
          OrganizationID: id,
          OrganizationName: name,
          ...assignments('OrganizationMember', viewerWork),
          IsOrganizationMember: true,
        }));
        return { nodes, pageInfo: organizations.pageInfo };
      }),
  },
  route({
    id: 'listUserProjects',
    method: 'GET',
    path: '/user/organizations/:organizationId/projects',
    operation: storedOperation(ListProjectWorkDocument),
    in: ({ path, page }) => ({ organizationId: path.organizationId as string, ...page }),
    out: ({ viewer, organization }, { page }) => {
      if (!organization) throw notFound('Organization');
      return pageRecord('UserOrganizationProjects', organization.projects, page.first, (project) => ({
        UserEmail: viewer.email,
        OrganizationID: organization.id,
        OrganizationName: organization.name,
        ProjectID: project.id,
        ProjectName: project.name,
        ProjectAccessType: accessType(project.access),
        ProjectIsDisabled: project.disabled,
        ...assignments('ProjectMember', project.viewerWork),
      }));
    },
  }),
  route({
    id: 'listMemberships',
    method: 'GET',
    path: PACKAGES,
    operation: storedOperation(ListMembershipsDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) =>
      pageRecord('OrganizationMembershipPackages', viewer.organizations, page.first, packageRecord),
  }),
  route({
    id: 'getMembership',
    method: 'GET',
    path: `${PACKAGES}/:organizationId`,
    operation: storedOperation(GetMembershipDocument),
    in: ({ path }) => ({ organizationId: path.organizationId as string }),
    out: ({ organization }) => {
      if (!organization) throw notFound('Organization');
      const nodes = [organization];
      return pageRecord(
        'OrganizationMembershipPackages',
        { nodes, pageInfo: { endCursor: END_CURSOR } },
        0,
        packageRecord,
      );
    },
  }),
];
