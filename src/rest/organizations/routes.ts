import { badInput, notFound } from '../../domain/kernel/errors.ts';
import {
  CreateOrganizationsDocument,
  CreateProjectsDocument,
  DeleteProjectsDocument,
  GetOrganizationDocument,
  GetProjectDocument,
  ListOrganizationsDocument,
  ListProjectsDocument,
  type ListProjectsQuery,
  type ProjectAccess,
  type ProjectRecordFragment,
  UpdateProjectDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { accessOfType, organizationRecord, projectRecord } from '../wire/common-records.ts';
import type { Members } from '../wire/read.ts';
import { type Execute, type RestRequest, type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';

const PROJECT = '/organizations/:organizationId/projects/:projectId';

const organizationIn = ({ path }: RestRequest) => path.organizationId as string;
const projectIn = ({ path }: RestRequest) => path.projectId as string;

/** A project is found only under its own organization. */
function placed(project: ProjectRecordFragment | null | undefined, request: RestRequest) {
  if (project?.organizationId !== organizationIn(request)) throw notFound('Project');
  return projectRecord(project);
}

function access(from: Members, member: string): ProjectAccess | undefined {
  const type = from.text(member);
  const found = type ? accessOfType(type) : undefined;
  if (type && !found) throw badInput(`${member}: ${type} is no access type of a project.`, member);
  return found;
}

const PROJECTS = storedOperation(ListProjectsDocument);

const projectList = (request: RestRequest) => ({
  organizationId: organizationIn(request),
  ...request.page,
  filter: {
    namePrefix: request.query.text('nameFilter'),
    access: access(request.query, 'projectAccessType'),
    viewerRoles: request.query.flag('adminOnly') ? ['ADMIN' as const] : undefined,
  },
});

const listProjects = route({
  id: 'listProjects',
  method: 'GET',
  path: '/organizations/:organizationId/projects',
  operation: PROJECTS,
  in: projectList,
  out: ({ organization }, { page }) =>
    organization && pageRecord('Projects', organization.projects, page.first, projectRecord),
});

/** With getAll, every page in one answer; a PageSize of 0 tells both kinds of client that it is whole. */
async function allProjects(request: RestRequest, execute: Execute) {
  const nodes: ProjectRecordFragment[] = [];
  let after: string | null | undefined = null;
  do {
    const { organization }: ListProjectsQuery = await execute(PROJECTS, {
      ...projectList(request),
      first: 100,
      after,
    });
    nodes.push(...(organization?.projects.nodes ?? []));
    after = organization?.projects.pageInfo.hasNextPage ? organization.projects.pageInfo.endCursor : null;
  } while (after);
  return pageRecord('Projects', { nodes, pageInfo: {} }, 0, projectRecord);
}

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
    method: 'POST',
    path: '/organizations',
    operation: storedOperation(CreateOrganizationsDocument),
    in: ({ body }) => ({
      input: { organizations: body.array().map((item) => ({ name: item.required('Name') })) },
    }),
    out: ({ createOrganizations }) => createOrganizations.organizations.map(organizationRecord),
  }),
  route({
    id: 'getOrganization',
    method: 'GET',
    path: '/organizations/:organizationId',
    operation: storedOperation(GetOrganizationDocument),
    in: (request) => ({ organizationId: organizationIn(request) }),
    out: ({ organization }) => organization && organizationRecord(organization),
  }),
  {
    ...listProjects,
    run: (request, execute) =>
      (request.query.flag('getAll') ? allProjects : listProjects.run)(request, execute),
  },
  route({
    id: 'createProjects',
    method: 'POST',
    path: '/organizations/:organizationId/projects',
    operation: storedOperation(CreateProjectsDocument),
    in: (request) => ({
      input: {
        organizationId: organizationIn(request),
        projects: request.body.array().map((item) => ({
          name: item.required('Name'),
          access: access(item, 'AccessType'),
          sourceId: item.text('SourceID') || undefined,
        })),
      },
    }),
    out: ({ createProjects }) => createProjects.projects.map(projectRecord),
  }),
  route({
    id: 'deleteProjects',
    method: 'DELETE',
    path: '/organizations/:organizationId/projects',
    operation: storedOperation(DeleteProjectsDocument),
    in: (request) => ({
      input: {
        organizationId: organizationIn(request),
        projectIds: request.body.object().texts('IDs') ?? [],
      },
    }),
    out: () => undefined,
  }),
  route({
    id: 'getProject',
    method: 'GET',
    path: PROJECT,
    operation: storedOperation(GetProjectDocument),
    in: (request) => ({ projectId: projectIn(request) }),
    out: ({ project }, request) => placed(project, request),
  }),
  route({
    id: 'updateProject',
    method: 'PUT',
    path: PROJECT,
    operation: storedOperation(UpdateProjectDocument),
    in: (request) => {
      const item = request.body.object();
      if (item.text('ID') && item.text('ID') !== projectIn(request))
        throw badInput('ID differs from the path.', 'ID');
      return {
        input: {
          organizationId: organizationIn(request),
          projectId: projectIn(request),
          name: item.text('Name'),
          access: access(item, 'AccessType'),
          disabled: item.flag('Disabled'),
        },
      };
    },
    out: ({ updateProject }) => projectRecord(updateProject.project),
  }),
];
