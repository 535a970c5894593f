import { ListFieldsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { DOCUMENT_SORT_TYPES } from '../documents/order.ts';
import { allPages } from '../wire/operations.ts';
import { descendsByDefault } from '../wire/order.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import type { Route } from '../wire/route.ts';
import { filterField, SEARCH_SORT_TYPES } from './filter.ts';

/** The terms of `sortType` by the last part of the routes that take them. */
const SORT_TYPES_OF = { documents: DOCUMENT_SORT_TYPES, searchResults: SEARCH_SORT_TYPES };

const terms = new Map(Object.values(SORT_TYPES_OF).flatMap((each) => Object.entries(each)));

const SORT_FIELDS = [...terms].map(([field, sortType]) => ({
  sortType,
  sortDescending: descendsByDefault(field),
  routes: Object.entries(SORT_TYPES_OF).flatMap(([name, each]) => (field in each ? name : [])),
}));

export const filterSortRoutes: Route[] = [
  {
    id: 'getDocumentFilterSortFields',
    method: 'GET',
    path: `${PROJECT}/documentFilterSortFields`,
    operations: allPages({
      operation: storedOperation(ListFieldsDocument),
      in: (request) => ({ projectId: projectPath(request).projectId }),
      list: ({ project }, request) => requireProject(project, request).fields,
      out: (fields) => ({ filterFields: fields.map(filterField), sortFields: SORT_FIELDS }),
    }),
  },
];
