import { notFound } from '../../domain/kernel/errors.ts';
import {
  CountDocumentsDocument,
  CountPagesDocument,
  CountRecycledDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath } from '../wire/path.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';

const COUNTS = `${PROJECT}/counts`;

const projectIn = (request: RestRequest) => ({ projectId: projectPath(request).projectId });

function placed<Project extends { organizationId: string }>(
  project: Project | null | undefined,
  request: RestRequest,
): Project {
  if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
  return project;
}

/** Each answers a bare integer. */
export const countRoutes: Route[] = [
  route({
    id: 'countDocuments',
    method: 'GET',
    path: `${COUNTS}/documents`,
    operation: storedOperation(CountDocumentsDocument),
    in: (request) => ({
      ...projectIn(request),
      withRecycled: !request.query.flag('ignoreRecycleBin'),
    }),
    out: ({ project }, request) => {
      const { documents, recycled } = placed(project, request);
      return (documents.totalCount ?? 0) + (recycled?.totalCount ?? 0);
    },
  }),
  route({
    id: 'countPages',
    method: 'GET',
    path: `${COUNTS}/pages`,
    operation: storedOperation(CountPagesDocument),
    in: projectIn,
    out: ({ project }, request) => placed(project, request).pageCount,
  }),
  route({
    id: 'countRecycleBinDocuments',
    method: 'GET',
    path: `${COUNTS}/recycleBinDocuments`,
    operation: storedOperation(CountRecycledDocument),
    in: projectIn,
    out: ({ project }, request) => placed(project, request).documents.totalCount ?? 0,
  }),
];
