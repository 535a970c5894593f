import type { FacetCount, facetsOf } from '../../../domain/search/search-facets.ts';
import type { SearchKind as Kind, Search } from '../../../domain/search/search-query.ts';
import { builder } from '../kernel/builder.ts';
import { Project, projectOf } from '../projects/type.ts';
import { author, User } from '../users/type.ts';
import { SearchKind, SearchState } from './input.ts';

const COUNT = 'The number of results.';
type State = NonNullable<Search['states']>[number];

const KindCount = builder.objectRef<FacetCount>('SearchKindCount').implement({
  description: 'The number of results of a kind.',
  fields: (t) => ({
    kind: t.field({ type: SearchKind, description: 'The kind.', resolve: ({ value }) => value as Kind }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

const StateCount = builder.objectRef<FacetCount>('SearchStateCount').implement({
  description: 'The number of results in a state.',
  fields: (t) => ({
    state: t.field({ type: SearchState, description: 'The state.', resolve: ({ value }) => value as State }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

const ProjectCount = builder.objectRef<FacetCount>('SearchProjectCount').implement({
  description: 'The number of results of a project.',
  fields: (t) => ({
    project: t.field({
      type: Project,
      description: 'The project.',
      resolve: ({ value }, _, ctx) => projectOf(ctx, value),
    }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

const CreatorCount = builder.objectRef<FacetCount>('SearchCreatorCount').implement({
  description: 'The number of results that someone created.',
  fields: (t) => ({
    createdBy: t.field({
      type: User,
      description: 'Who created them.',
      resolve: ({ value }, _, ctx) => author(ctx, value),
    }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

const TagCount = builder.objectRef<FacetCount>('SearchTagCount').implement({
  description: 'The number of documents and tasks with a tag.',
  fields: (t) => ({
    tag: t.exposeString('value', { description: 'The tag.' }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

export const SearchFacets = builder
  .objectRef<Awaited<ReturnType<typeof facetsOf>>>('SearchFacets')
  .implement({
    description:
      'Counts of results by common values: of each facet, the 20 most frequent values. Costs 10 points.',
    fields: (t) => ({
      kinds: t.expose('KIND', { type: [KindCount], description: 'Their kinds.' }),
      states: t.expose('STATE', { type: [StateCount], description: 'Their states.' }),
      projects: t.expose('PROJECT', { type: [ProjectCount], description: 'The projects they belong to.' }),
      creators: t.expose('CREATOR', { type: [CreatorCount], description: 'Who created them.' }),
      tags: t.expose('TAG', { type: [TagCount], description: 'Their tags.' }),
    }),
  });
