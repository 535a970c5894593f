import type { Resource } from '../measure.ts';
import { keepBusy } from '../wait.ts';
import { addTasks } from './main-thread.ts';

const FILTERED = `query ($id: ID!) { project(id: $id) {
  ${['a', 'b', 'c', 'd', 'e', 'f']
    .map(
      (alias) =>
        `${alias}: tasks(first: 100, filter: { namePrefix: "no such ${alias}", unassigned: true, overdue: false }, orderBy: { field: MODIFIED_AT }) { nodes { id } }`,
    )
    .join('\n')} } }`;

/** Slow queries that are allowed, 200 at once from 20 keys. */
export const connections: Resource = {
  prepare: (town) => addTasks(town, 100),
  aggress: ({ aggressor }, signal) =>
    keepBusy(200, () => aggressor.next.graph(FILTERED, { id: aggressor.projectId }), signal),
};
