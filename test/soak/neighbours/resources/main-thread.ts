import type { Resource } from '../measure.ts';
import type { Town } from '../town.ts';
import { keepBusy } from '../wait.ts';

const PAGE = `query ($id: ID!) { project(id: $id) { tasks(first: 90) { nodes { __typename id name description createdAt modifiedAt
  createdBy { id name email } project { id name organization { id name createdAt } } comments(first: 3) { nodes { id text } } } } } }`;

const TASKS = Array.from({ length: 500 }, (_, index) => ({
  name: `Task ${index}`,
  description: 'Whatever has to be done. '.repeat(4),
}));

export async function addTasks({ aggressor }: Town, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++)
    await aggressor.next.mutate(
      'createTasks',
      {
        projectId: aggressor.projectId,
        tasks: TASKS.map((each) => ({ ...each, name: `${each.name} ${turn}` })),
      },
      'tasks { id }',
    );
}

/** The most expensive pages that are allowed, and the largest batches, from 20 keys at once. */
export const mainThread: Resource = {
  async prepare(town) {
    await addTasks(town, 2);
    await town.aggressor.owner.graph(PAGE, { id: town.aggressor.projectId });
  },
  aggress: ({ aggressor }, signal) =>
    keepBusy(
      40,
      (turn) =>
        turn % 10 === 0
          ? aggressor.next.sendJson(
              'POST',
              `${aggressor.restPath}/tasks`,
              TASKS.map(({ name }) => ({ Name: name })),
            )
          : aggressor.next.graph(PAGE, { id: aggressor.projectId }),
      signal,
    ),
};
