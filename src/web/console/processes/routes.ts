import { ConsoleProcessesDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { ProcessesView } from './view.tsx';

const PROCESSES = storedOperation(ConsoleProcessesDocument);

/** `processes` of a project. */
export function processListPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/projects/:project/processes`, showProcesses);
}

async function showProcesses(visit: Visit): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const data = await visit.run(PROCESSES, { id, projectId: visit.param('project'), after });
  const project = visibleProject(data.project, id);
  return consolePage({
    visit,
    title: 'Processes',
    organization: visible(data.organization),
    project,
    children: ProcessesView({ project, after }),
  });
}
