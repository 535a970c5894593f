import { ConsoleProjectsDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { ProjectsView } from './view.tsx';

const PROJECTS = storedOperation(ConsoleProjectsDocument);

/** `projects` of an organization. */
export function projectListPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/projects`, showProjects);
}

async function showProjects(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const organization = visible(
    (await visit.run(PROJECTS, { id: visit.param('organization'), after })).organization,
  );
  return consolePage({
    visit,
    title: 'Projects',
    organization,
    children: ProjectsView({ organization, after }),
  });
}
