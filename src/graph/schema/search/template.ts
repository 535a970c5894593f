import { findFields } from '../../../domain/fields/field.ts';
import { findProjects } from '../../../domain/projects/project.ts';
import type { SearchFilter as Filter, Search } from '../../../domain/search/search-query.ts';
import {
  filterOf,
  findSearchTemplates,
  type SearchTemplate as SearchTemplateRow,
  searchTemplatesOfOrganization,
} from '../../../domain/search/search-template.ts';
import { Field } from '../fields/type.ts';
import { builder } from '../kernel/builder.ts';
import { BY_NAME_OR_AGE, connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';
import { Project } from '../projects/type.ts';
import { Versioned } from '../users/tracked.ts';
import { FieldOperator, SearchKind, SearchOrder, SearchState } from './input.ts';
import { SearchConnection, SearchHit, searchResults } from './type.ts';

type Condition = NonNullable<Search['fields']>[number];
type SavedFilter = Omit<Filter, 'query'>;

const FieldCondition = builder.objectRef<Condition>('FieldCondition').implement({
  description: 'A condition on a value of a field.',
  fields: (t) => ({
    fieldId: t.exposeID('fieldId', { description: 'The id of the field.' }),
    field: t.field({
      type: Field,
      nullable: true,
      description: 'The field; null if it was deleted or is not visible to you.',
      resolve: ({ fieldId }, _, { load }) => load.one(findFields, fieldId),
    }),
    operator: t.field({
      type: FieldOperator,
      description: 'How it is compared.',
      resolve: ({ operator }) => operator ?? 'EQUALS',
    }),
    value: t.exposeString('value', { description: 'The value to compare with, as text.' }),
  }),
});

const time = (value: unknown): Date | null => (value ? new Date(value as string) : null);

const SavedSearchFilter = builder.objectRef<SavedFilter>('SavedSearchFilter').implement({
  description: 'The filter of a search template, as SearchFilter has it.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SearchKind, nullable: true, description: 'Only objects of this kind.' }),
    states: t.expose('states', {
      type: [SearchState],
      nullable: true,
      description: 'In one of these states.',
    }),
    projectIds: t.exposeIDList('projectIds', { nullable: true, description: 'In one of these projects.' }),
    folderId: t.exposeID('folderId', { nullable: true, description: 'Directly in this folder.' }),
    belowFolderId: t.exposeID('belowFolderId', {
      nullable: true,
      description: 'In this folder or below it.',
    }),
    tags: t.exposeStringList('tags', { nullable: true, description: 'With all of these tags.' }),
    fields: t.field({
      type: [FieldCondition],
      description: 'With such values.',
      resolve: ({ fields }) => fields ?? [],
    }),
  }),
});

/** Who created an object, and when it was created and changed. */
builder.objectFields(SavedSearchFilter, (t) => ({
  createdById: t.exposeID('createdById', { nullable: true, description: 'Created by this person.' }),
  createdAfter: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Created then or later.',
    resolve: (filter) => time(filter.createdAfter),
  }),
  createdBefore: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Created before.',
    resolve: (filter) => time(filter.createdBefore),
  }),
  modifiedAfter: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Last changed then or later.',
    resolve: (filter) => time(filter.modifiedAfter),
  }),
  modifiedBefore: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Last changed before.',
    resolve: (filter) => time(filter.modifiedBefore),
  }),
}));

export const SearchTemplate = builder.objectRef<SearchTemplateRow>('SearchTemplate').implement({
  scope: 'organizations:read',
  description: 'A search that you saved, visible only to you.',
  interfaces: [Node, Versioned],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it searches.' }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The one project it searches; null where it searches the organization.',
      resolve: ({ projectId }, _, { load }) => (projectId ? load.one(findProjects, projectId) : null),
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    query: t.exposeString('keyword', { description: 'The query.' }),
    filter: t.field({ type: SavedSearchFilter, description: 'The filter.', resolve: filterOf }),
  }),
});

builder.objectField(SearchTemplate, 'results', (t) =>
  t.connection(
    {
      type: SearchHit,
      description: 'The current results of the search.',
      args: {
        orderBy: t.arg({
          type: SearchOrder,
          description: 'The order; by default the best matches first, or without a query the newest.',
        }),
      },
      resolve: (template, args, ctx) => {
        const { organizationId, projectId } = template;
        const filter = filterOf(template);
        return projectId
          ? searchResults(ctx, 'project', { organizationId, id: projectId }, filter, args)
          : searchResults(ctx, 'organization', { organizationId, id: organizationId }, filter, args);
      },
    },
    SearchConnection,
  ),
);

nodeType('SearchTemplate', ({ load }, id) => load.one(findSearchTemplates, id));

const SearchTemplateOrder = orderInput('SearchTemplate', BY_NAME_OR_AGE);

builder.objectField(Organization, 'searchTemplates', (t) =>
  t.connection(
    {
      type: SearchTemplate,
      description: 'The searches that you saved in it.',
      args: {
        orderBy: t.arg({
          type: SearchTemplateOrder,
          description: 'The order; by age by default.',
        }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          searchTemplatesOfOrganization,
          { organizationId: id, id },
          args,
          ({ orderBy, ...page }) => ({
            ...page,
            filter: {},
            orderBy: orderBy ?? { field: 'CREATED_AT', direction: 'ASC' },
          }),
        ),
    },
    connectionOf(SearchTemplate),
  ),
);

builder.queryField('searchTemplate', (t) =>
  t.field({
    type: SearchTemplate,
    nullable: true,
    description: 'A saved search by its id. NOT_FOUND if it does not exist or is not yours.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findSearchTemplates, id, 'Search template'),
  }),
);
