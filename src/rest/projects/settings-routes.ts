import { GetProjectSettingsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { settingsRecord } from './settings-record.ts';

export const projectSettingsRoutes: Route[] = [
  route({
    id: 'getProjectSettings',
    method: 'GET',
    path: `${PROJECT}/settings`,
    operation: storedOperation(GetProjectSettingsDocument),
    in: (request) => ({ projectId: projectPath(request).projectId }),
    out: ({ project }, request) => settingsRecord(requireProject(project, request)),
  }),
];
