import {
  ListSearchTemplatesDocument,
  SearchOrganizationDocument,
  type SearchPageFragment,
  SearchProjectDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
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
import { kindIn, metaFilters, orderIn } from './filter.ts';
import { searchRecords, templateRecord } from './record.ts';

function searchVariables({ query, page }: RestRequest) {
  const keyword = query.text('keyword');
  return {
    query: keyword,
    filter: { kind: kindIn(query), ...metaFilters(query) },
    orderBy: orderIn(query, Boolean(keyword?.trim())),
    ...page,
  };
}

const resultPage = ({ nodes, pageInfo }: SearchPageFragment, { page }: RestRequest) =>
  pageRecord(
    'SearchResults',
    { nodes: nodes.flatMap(searchRecords), pageInfo },
    page.first,
    (record) => record,
  );

export const searchRoutes: Route[] = [
  route({
    id: 'searchOrganization',
    names: { query: 'keyword', fields: 'metaFieldFilters_json', projectIds: 'metaFieldFilters_json' },
    method: 'GET',
    path: `${ORGANIZATION}/searchResults`,
    takesSortType: true,
    operation: storedOperation(SearchOrganizationDocument),
    in: (request) => ({ ...organizationPath(request), ...searchVariables(request) }),
    out: ({ organization }, request) => resultPage(requireOrganization(organization).search, request),
  }),
  route({
    id: 'searchProject',
    names: {
      query: 'keyword',
      belowFolderId: 'parentId',
      fields: 'metaFieldFilters_json',
      projectIds: 'metaFieldFilters_json',
    },
    method: 'GET',
    path: `${PROJECT}/searchResults`,
    takesSortType: true,
    operation: storedOperation(SearchProjectDocument),
    in: (request) => {
      const { filter, ...variables } = searchVariables(request);
      const belowFolderId = request.query.text('parentId') || undefined;
      return {
        projectId: projectPath(request).projectId,
        ...variables,
        filter: { ...filter, belowFolderId },
      };
    },
    out: ({ project }, request) => resultPage(requireProject(project, request).search, request),
  }),
  route({
    id: 'listSearchTemplates',
    method: 'GET',
    path: `${ORGANIZATION}/searchTemplates`,
    operation: storedOperation(ListSearchTemplatesDocument),
    in: (request) => ({ ...organizationPath(request), ...request.page }),
    out: ({ organization }, { page }) => {
      const { searchTemplates } = requireOrganization(organization);
      return pageRecord('SearchTemplates', searchTemplates, page.first, templateRecord);
    },
  }),
];
