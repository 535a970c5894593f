import { notFound } from '../../domain/kernel/errors.ts';
import {
  ListSearchTemplatesDocument,
  SearchOrganizationDocument,
  type SearchPageFragment,
  SearchProjectDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath } from '../wire/path.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';
import { kindOf, metaFilters, orderOf } from './filter.ts';
import { searchRecords, templateRecord } from './record.ts';

const ORGANIZATION = '/organizations/:organizationId';

function search({ query, page }: RestRequest) {
  const keyword = query.text('keyword');
  return {
    query: keyword,
    filter: { kind: kindOf(query.text('contentType')), ...metaFilters(query.text('metaFieldFilters_json')) },
    orderBy: orderOf(query, Boolean(keyword?.trim())),
    ...page,
  };
}

const results = ({ nodes, pageInfo }: SearchPageFragment, { page }: RestRequest) =>
  pageRecord(
    'SearchResults',
    { nodes: nodes.flatMap(searchRecords), pageInfo },
    page.first,
    (record) => record,
  );

export const searchRoutes: Route[] = [
  route({
    id: 'searchOrganization',
    method: 'GET',
    path: `${ORGANIZATION}/searchResults`,
    operation: storedOperation(SearchOrganizationDocument),
    in: (request) => ({ organizationId: projectPath(request).organizationId, ...search(request) }),
    out: ({ organization }, request) => organization && results(organization.search, request),
  }),
  route({
    id: 'searchProject',
    method: 'GET',
    path: `${PROJECT}/searchResults`,
    operation: storedOperation(SearchProjectDocument),
    in: (request) => ({ projectId: projectPath(request).projectId, ...search(request) }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return results(project.search, request);
    },
  }),
  route({
    id: 'listSearchTemplates',
    method: 'GET',
    path: `${ORGANIZATION}/searchTemplates`,
    operation: storedOperation(ListSearchTemplatesDocument),
    in: (request) => ({ organizationId: projectPath(request).organizationId, ...request.page }),
    out: ({ organization }, { page }) =>
      organization && pageRecord('SearchTemplates', organization.searchTemplates, page.first, templateRecord),
  }),
];
