import { graphCall, type Work } from '../work.ts';

const QUERY = `mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id name } } }`;
const names = Array.from({ length: 25 }, (_, index) => `Check level ${index + 1}`);

export const createTasks: Work = {
  id: 'create-tasks',
  title: 'Create 25 tasks in one batch, with their events',
  calls: ({ writing: { projectId } }) => ({
    limit: { method: 'POST', path: '/tasks', body: { project: projectId, names } },
    graph: graphCall(QUERY, { input: { projectId, tasks: names.map((name) => ({ name })) } }),
  }),
  same: (answer) =>
    (answer as { data: { createTasks: { tasks: { name: string }[] } } }).data.createTasks.tasks.map(
      ({ name }) => name,
    ),
};
