import { ConsoleOwnTasksDocument, ConsoleTasksDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { chosenOf } from '../ui/parts.tsx';
import { projectHref, visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { PARTS } from './choice.ts';
import { OwnTasksView, TasksView } from './view.tsx';

const OWN = storedOperation(ConsoleOwnTasksDocument);
const TASKS = storedOperation(ConsoleTasksDocument);

/** `tasks` of a project, and those of the viewer in all projects. */
export function taskListPages(pages: ConsolePages, organizationPath: string): void {
  pages.get('/console/tasks', showOwn);
  pages.get(`${organizationPath}/projects/:project/tasks`, showTasks);
}

async function showOwn(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const part = chosenOf(PARTS, visit.query('show'));
  const { filter, orderBy } = part;
  const { viewer } = await visit.run(OWN, { after, filter, orderBy });
  return consolePage({
    visit,
    title: 'Your tasks',
    children: OwnTasksView({ path: visit.path, tasks: viewer.tasks, part, after }),
  });
}

async function showTasks(visit: Visit): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const part = chosenOf(PARTS, visit.query('show'));
  const isOwn = visit.query('whose') === 'own';
  const filter = { ...part.filter, ...(isOwn ? { assigneeEmail: visit.viewer.email } : {}) };
  const { orderBy } = part;
  const data = await visit.run(TASKS, { id, projectId: visit.param('project'), after, filter, orderBy });
  const project = visibleProject(data.project, id);
  return consolePage({
    visit,
    title: 'Tasks',
    organization: visible(data.organization),
    project,
    children: TasksView({ path: projectHref(project, 'tasks'), project, part, isOwn, after }),
  });
}
