import { badValue } from '../../domain/kernel/errors.ts';
import {
  GetMembershipDocument,
  GetProfileDocument,
  ListMembershipsDocument,
  ListProjectMembershipsDocument,
  ListProjectWorkDocument,
  ListWorkDocument,
  UpdateProfileDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { allPages } from '../wire/operations.ts';
import { pageRecord } from '../wire/pages.ts';
import { ORGANIZATION, organizationPath, requireOrganization } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { profileChange } from './input.ts';
import {
  packageRecord,
  profileRecord,
  projectPackageRecord,
  userOrganizationRecord,
  userProjectRecord,
} from './record.ts';

const PROFILE = '/user/profile';
const PACKAGES = '/organizationMembershipPackages';

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
    names: profileChange.names,
    method: 'PUT',
    path: PROFILE,
    operation: storedMutation(UpdateProfileDocument),
    in: ({ body }) => ({ input: profileChange(body.object()) }),
    out: ({ updateViewer }) => profileRecord(updateViewer.viewer),
  }),
  {
    id: 'listUserOrganizations',
    method: 'GET',
    path: '/user/organizations',
    operations: allPages({
      operation: storedOperation(ListWorkDocument),
      in: () => ({}),
      list: ({ viewer: { email, organizations } }) => ({
        ...organizations,
        nodes: organizations.nodes.map(({ viewerWork, ...organization }) =>
          userOrganizationRecord({ email, organization, reason: 'OrganizationMember', viewerWork }),
        ),
      }),
      out: (organizations) => organizations,
    }),
  },
  route({
    id: 'listUserProjects',
    method: 'GET',
    path: `/user${ORGANIZATION}/projects`,
    operation: storedOperation(ListProjectWorkDocument),
    in: (request) => ({ ...organizationPath(request), ...request.page }),
    out: ({ viewer, organization }, { page }) => {
      const { projects, ...own } = requireOrganization(organization);
      return pageRecord('UserOrganizationProjects', projects, page.first, ({ viewerWork, ...project }) =>
        userProjectRecord({
          email: viewer.email,
          organization: own,
          project,
          reason: 'ProjectMember',
          viewerWork,
        }),
      );
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
  // Older clients read the list, newer ones the package itself, so both are there.
  route({
    id: 'getMembership',
    method: 'GET',
    path: `${PACKAGES}/:organizationId`,
    operation: storedOperation(GetMembershipDocument),
    in: organizationPath,
    out: ({ organization }, { page }) => {
      const membership = requireOrganization(organization);
      if (page.after !== null) throw badValue('cursor', 'it is none of this list.');
      const nodes = page.first > 0 ? [membership] : [];
      return {
        ...packageRecord(membership),
        ...pageRecord('OrganizationMembershipPackages', { nodes, pageInfo: {} }, 0, packageRecord),
      };
    },
  }),
  route({
    id: 'listProjectMemberships',
    method: 'GET',
    path: `${ORGANIZATION}/projectMembershipPackages`,
    operation: storedOperation(ListProjectMembershipsDocument),
    in: (request) => ({ ...organizationPath(request), ...request.page }),
    out: ({ viewer, organization }, { page }) => {
      const { projects } = requireOrganization(organization);
      return pageRecord('ProjectMembershipPackages', projects, page.first, (project) =>
        projectPackageRecord({ ...project, user: viewer.user }),
      );
    },
  }),
];
