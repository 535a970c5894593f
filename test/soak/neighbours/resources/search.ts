import type { Resource } from '../measure.ts';
import { keepBusy } from '../wait.ts';
import { addTasks } from './main-thread.ts';

const SEARCH = `query ($id: ID!, $query: String) { organization(id: $id) { search(first: 50, query: $query) { totalCount
  nodes { __typename } facets { kinds { count } creators { count } projects { count } states { count } tags { count } } } } }`;

const QUERIES = [
  't*',
  'whatever has to be done',
  'taks',
  '"task 1" -nothing',
  'a* b* c* d* e* f*',
  'text:whatver',
];

/** Searches that find everything, or come near nothing, with facets and counts. */
export const search: Resource = {
  async prepare(town) {
    await addTasks(town, 8);
    await town.aggressor.owner.graph(SEARCH, { id: town.aggressor.organizationId, query: QUERIES[0] });
  },
  aggress: ({ aggressor }, signal) =>
    keepBusy(
      40,
      (turn) =>
        aggressor.next.graph(SEARCH, { id: aggressor.organizationId, query: QUERIES[turn % QUERIES.length] }),
      signal,
    ),
};
