import { ListProcessesDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { pagedOrAll } from '../wire/operations.ts';
import { directionIn } from '../wire/order.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import type { Route } from '../wire/route.ts';
import { processRecord } from './record.ts';

export const processRoutes: Route[] = [
  {
    id: 'listProcesses',
    method: 'GET',
    path: `${PROJECT}/processes`,
    operations: pagedOrAll('Processes', {
      operation: storedOperation(ListProcessesDocument),
      in: (request) => ({
        projectId: projectPath(request).projectId,
        direction: directionIn(request.query, false),
      }),
      list: ({ project }, request) => requireProject(project, request).processes,
      record: processRecord,
    }),
  },
];
