import type { Resource } from '../measure.ts';
import { keepBusy } from '../wait.ts';
import { addTasks } from './main-thread.ts';

const COUNTS = `query ($id: ID!) { project(id: $id) {
  ${Array.from(
    { length: 60 },
    (_, index) => `c${index}: tasks(first: 1, filter: { namePrefix: "t", unassigned: true }) { totalCount }`,
  ).join('\n')} } }`;

/** As many counts of long lists as one query may hold. */
export const counts: Resource = {
  async prepare(town) {
    await addTasks(town, 8);
    await town.aggressor.owner.graph(COUNTS, { id: town.aggressor.projectId });
  },
  aggress: ({ aggressor }, signal) =>
    keepBusy(40, () => aggressor.next.graph(COUNTS, { id: aggressor.projectId }), signal),
};
