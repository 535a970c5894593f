import {
  CreateOrganizationsDocument,
  GetOrganizationDocument,
  ListOrganizationsDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { pageRecord } from '../wire/pages.ts';
import { ORGANIZATION, organizationPath, requireOrganization } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { newOrganization } from './input.ts';
import { organizationRecord } from './record.ts';

export const organizationRoutes: Route[] = [
  route({
    id: 'listOrganizations',
    method: 'GET',
    path: '/organizations',
    operation: storedOperation(ListOrganizationsDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) =>
      pageRecord('Organizations', viewer.organizations, page.first, organizationRecord),
  }),
  route({
    id: 'createOrganizations',
    names: { organizations: '', ...newOrganization.names },
    method: 'POST',
    path: '/organizations',
    operation: storedMutation(CreateOrganizationsDocument),
    in: ({ body }) => ({ input: { organizations: body.array().map(newOrganization) } }),
    out: ({ createOrganizations }) => createOrganizations.organizations.map(organizationRecord),
  }),
  route({
    id: 'getOrganization',
    method: 'GET',
    path: ORGANIZATION,
    operation: storedOperation(GetOrganizationDocument),
    in: organizationPath,
    out: ({ organization }) => organizationRecord(requireOrganization(organization)),
  }),
];
