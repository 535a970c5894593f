import type { Resource } from '../measure.ts';
import { keepBusy } from '../wait.ts';
import { addTasks } from './main-thread.ts';

const FILTERED = `query ($id: ID!) { project(id: $id) {
  ${['a', 'b', 'c', 'd', 'e', 'f']
    .map(
      (alias) =>
        `${alias}: tasks(first: 100, filter: { namePrefix: "task", unassigned: true }, orderBy: { field: DUE_AT }) { totalCount nodes { id } }`,
    )
    .join('\n')} } }`;

/** Slow queries that are allowed, 200 at once from 20 keys. */
export const connections: Resource = {
  async prepare(town) {
    await addTasks(town, 8);
    await town.aggressor.owner.graph(FILTERED, { id: town.aggressor.projectId });
  },
  aggress: ({ aggressor }, signal) =>
    keepBusy(200, () => aggressor.next.graph(FILTERED, { id: aggressor.projectId }), signal),
};
