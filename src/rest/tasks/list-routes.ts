import { badValue } from '../../domain/kernel/errors.ts';
import {
  GetTaskStatisticsDocument,
  ListTasksDocument,
  type TaskState,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { taskRecord, taskStatsRecord } from './record.ts';

export const TASKS = `${PROJECT}/tasks`;

/** The query's flags for states; without any, tasks of all states are listed. */
const STATE_FLAGS: Record<string, TaskState> = {
  activeOnly: 'OPEN',
  completedOnly: 'COMPLETED',
  deniedOnly: 'DENIED',
};

function statesIn({ query }: RestRequest): TaskState[] | undefined {
  // The vendor's reference does not say what it holds, and tasks that it should have left out would be wrong.
  if (query.text('filter'))
    throw badValue('filter', 'is not supported; use activeOnly, completedOnly or deniedOnly');
  const states = Object.entries(STATE_FLAGS).flatMap(([flag, state]) => (query.flag(flag) ? state : []));
  return states.length > 0 ? states : undefined;
}

/** A list of the tasks of a project in these states. */
const taskList = (
  id: string,
  path: string,
  states: (request: RestRequest) => TaskState[] | undefined,
): Route =>
  route({
    id,
    method: 'GET',
    path,
    operation: storedOperation(ListTasksDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      filter: { states: states(request) },
      ...request.page,
    }),
    out: ({ project }, request) => {
      const { tasks } = requireProject(project, request);
      return pageRecord('Tasks', tasks, request.page.first, taskRecord);
    },
  });

export const taskListRoutes: Route[] = [
  taskList('listTasks', TASKS, statesIn),
  taskList('listCompletedTasks', `${PROJECT}/completedTasks`, () => ['COMPLETED']),
  taskList('listDeniedTasks', `${PROJECT}/deniedTasks`, () => ['DENIED']),
  route({
    id: 'getTaskStatistics',
    method: 'GET',
    path: `${PROJECT}/taskStats`,
    operation: storedOperation(GetTaskStatisticsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      filter: { states: statesIn(request) },
    }),
    out: ({ project }, request) => taskStatsRecord(requireProject(project, request).taskStatistics),
  }),
];
