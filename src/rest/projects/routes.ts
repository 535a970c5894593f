import { badInput } from '../../domain/kernel/errors.ts';
import {
  CountDocumentsDocument,
  CountPagesDocument,
  CountRecycledDocument,
  CreateProjectsDocument,
  DeleteProjectsDocument,
  GetProjectDocument,
  ListProjectsDocument,
  UpdateProjectDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import type { Members } from '../wire/members.ts';
import { allPages, choose, single } from '../wire/operations.ts';
import { pageRecord } from '../wire/pages.ts';
import {
  ORGANIZATION,
  organizationPath,
  PROJECT,
  projectPath,
  requireOrganization,
  requireProject,
} from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { ACCESS_TYPES, projectRecord } from './record.ts';

const PROJECTS = `${ORGANIZATION}/projects`;
const COUNTS = `${PROJECT}/counts`;

const LIST = storedOperation(ListProjectsDocument);

const listVariables = (request: RestRequest) => ({
  ...organizationPath(request),
  filter: {
    namePrefix: request.query.text('nameFilter'),
    access: request.query.term('projectAccessType', ACCESS_TYPES),
    viewerRoles: request.query.flag('adminOnly') ? ['ADMIN' as const] : undefined,
  },
});

const sourceOf = (item: Members) => {
  const id = item.text('SourceID');
  return id ? { projectId: id, copyContent: item.flag('SourceContentCopy') } : undefined;
};

const projectId = (request: RestRequest) => ({ projectId: projectPath(request).projectId });

const SOURCE_NAMES = { source: '', projectId: 'SourceID', copyContent: 'SourceContentCopy' };

export const projectRoutes: Route[] = [
  {
    id: 'listProjects',
    names: { namePrefix: 'nameFilter' },
    method: 'GET',
    path: PROJECTS,
    operations: choose(({ query }) => (query.flag('getAll') ? 'all' : 'page'), {
      page: single({
        operation: LIST,
        in: (request) => ({ ...listVariables(request), ...request.page }),
        out: ({ organization }, { page }) =>
          pageRecord('Projects', requireOrganization(organization).projects, page.first, projectRecord),
      }),
      // A PageSize of 0 tells clients that the list is complete.
      all: allPages({
        operation: LIST,
        in: listVariables,
        list: ({ organization }) => requireOrganization(organization).projects,
        out: (nodes) => pageRecord('Projects', { nodes, pageInfo: {} }, 0, projectRecord),
      }),
    }),
  },
  route({
    id: 'createProjects',
    names: { projects: '', name: 'Name', access: 'AccessType', ...SOURCE_NAMES },
    method: 'POST',
    path: PROJECTS,
    operation: storedMutation(CreateProjectsDocument),
    in: (request) => ({
      input: {
        ...organizationPath(request),
        projects: request.body.array().map((item) => ({
          name: item.required('Name'),
          access: item.term('AccessType', ACCESS_TYPES),
          source: sourceOf(item),
        })),
      },
    }),
    out: ({ createProjects }) => createProjects.projects.map(projectRecord),
  }),
  route({
    id: 'deleteProjects',
    names: { projectIds: 'IDs' },
    method: 'DELETE',
    path: PROJECTS,
    operation: storedMutation(DeleteProjectsDocument),
    in: (request) => ({
      input: {
        ...organizationPath(request),
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
    in: projectId,
    out: ({ project }, request) => projectRecord(requireProject(project, request)),
  }),
  route({
    id: 'updateProject',
    names: { name: 'Name', access: 'AccessType', disabled: 'Disabled' },
    method: 'PUT',
    path: PROJECT,
    operation: storedMutation(UpdateProjectDocument),
    in: (request) => {
      const item = request.body.object();
      if (item.text('ID') && item.text('ID') !== request.path.projectId)
        throw badInput('ID differs from the path.', 'ID');
      return {
        input: {
          ...projectPath(request),
          name: item.text('Name'),
          access: item.term('AccessType', ACCESS_TYPES),
          disabled: item.flag('Disabled'),
        },
      };
    },
    out: ({ updateProject }) => projectRecord(updateProject.project),
  }),
  // The replies to counts are bare integers.
  route({
    id: 'countDocuments',
    method: 'GET',
    path: `${COUNTS}/documents`,
    operation: storedOperation(CountDocumentsDocument),
    in: (request) => ({
      ...projectId(request),
      withRecycled: !request.query.flag('ignoreRecycleBin'),
    }),
    out: ({ project }, request) => {
      const { documents, recycled } = requireProject(project, request);
      return (documents.totalCount ?? 0) + (recycled?.totalCount ?? 0);
    },
  }),
  route({
    id: 'countPages',
    method: 'GET',
    path: `${COUNTS}/pages`,
    operation: storedOperation(CountPagesDocument),
    in: projectId,
    out: ({ project }, request) => requireProject(project, request).pageCount,
  }),
  route({
    id: 'countRecycleBinDocuments',
    method: 'GET',
    path: `${COUNTS}/recycleBinDocuments`,
    operation: storedOperation(CountRecycledDocument),
    in: projectId,
    out: ({ project }, request) => requireProject(project, request).documents.totalCount ?? 0,
  }),
];
