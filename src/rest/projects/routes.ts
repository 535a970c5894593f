import { badValue, undefinedIfNotFound } from '../../domain/kernel/errors.ts';
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
import { pagedOrAll, sequence } from '../wire/operations.ts';
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
import { newProject, projectChange } from './input.ts';
import { ACCESS_TYPES, projectRecord } from './record.ts';

const PROJECTS = `${ORGANIZATION}/projects`;
const COUNTS = `${PROJECT}/counts`;

const listVariables = (request: RestRequest) => ({
  ...organizationPath(request),
  filter: {
    namePrefix: request.query.text('nameFilter'),
    access: request.query.term('projectAccessType', ACCESS_TYPES),
    viewerRoles: request.query.flag('adminOnly') ? ['ADMIN' as const] : undefined,
  },
});

const LIST = pagedOrAll('Projects', {
  operation: storedOperation(ListProjectsDocument),
  in: listVariables,
  list: ({ organization }) => requireOrganization(organization).projects,
  record: projectRecord,
});

const INCLUDED = storedOperation(GetProjectDocument);

/** The project of `includeProjectId` is on the first page, whatever the other parameters select; one that is not found is left out. */
const projectList = sequence([LIST, { ...INCLUDED, takesVersion: false }], async (request, execute) => {
  const list = (await LIST.run(request, execute)) as { Projects: { ID: string }[] };
  const id = request.query.text('includeProjectId');
  const { first, after } = request.page;
  if (!id || first === 0 || after !== null || list.Projects.some(({ ID }) => ID === id)) return list;
  const project = (await execute(INCLUDED, { projectId: id }).catch(undefinedIfNotFound))?.project;
  if (project?.organizationId !== organizationPath(request).organizationId) return list;
  return { ...list, Projects: [projectRecord(project), ...list.Projects] };
});

const projectId = (request: RestRequest) => ({ projectId: projectPath(request).projectId });

export const projectRoutes: Route[] = [
  {
    id: 'listProjects',
    names: { namePrefix: 'nameFilter' },
    method: 'GET',
    path: PROJECTS,
    operations: projectList,
  },
  route({
    id: 'createProjects',
    names: { projects: '', ...newProject.names },
    method: 'POST',
    path: PROJECTS,
    operation: storedMutation(CreateProjectsDocument),
    in: (request) => ({
      input: { ...organizationPath(request), projects: request.body.array().map(newProject) },
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
    names: projectChange.names,
    method: 'PUT',
    path: PROJECT,
    operation: storedMutation(UpdateProjectDocument),
    in: (request) => {
      const item = request.body.object();
      if (item.text('ID') && item.text('ID') !== request.path.projectId)
        throw badValue('ID', 'differs from the path.', { separator: ' ' });
      return { input: { ...projectPath(request), ...projectChange(item) } };
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
