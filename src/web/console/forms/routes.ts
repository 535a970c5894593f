import { ConsoleFormsDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { projectHref, visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { FormsView } from './view.tsx';

const FORMS = storedOperation(ConsoleFormsDocument);

/** `forms` of a project. */
export function formListPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/projects/:project/forms`, showForms);
}

async function showForms(visit: Visit): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const data = await visit.run(FORMS, { id, projectId: visit.param('project'), after });
  const project = visibleProject(data.project, id);
  return consolePage({
    visit,
    title: 'Forms',
    organization: visible(data.organization),
    project,
    children: FormsView({ path: projectHref(project, 'forms'), forms: project.formTemplates, after }),
  });
}
