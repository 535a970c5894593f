import { forbidden } from '../../../domain/kernel/errors.ts';
import { ConsoleCreateTasksDocument, ConsoleNewTaskDocument } from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { parseDay } from '../../../lib/calendar-time.ts';
import { DAY, SECOND } from '../../../lib/time.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { mayEdit, projectHref, visibleProject } from '../ui/project-tabs.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { type EnteredTask, NewTaskView } from './new-view.tsx';

const PARENT = storedOperation(ConsoleNewTaskDocument);
const CREATE = storedMutation(ConsoleCreateTasksDocument);

/** `tasks/new` of a project. */
export function newTaskPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/tasks/new`;
  pages.get(path, (visit) => showForm(visit));
  pages.post(path, create);
}

async function showForm(visit: Visit, error?: FormError, entered?: EnteredTask): Promise<Response> {
  const id = visit.param('organization');
  const data = await visit.run(PARENT, { id, projectId: visit.param('project') });
  const project = visibleProject(data.project, id);
  if (!mayEdit(project)) throw forbidden('Only editors of the project create tasks.');
  return consolePage({
    visit,
    title: 'New task',
    organization: visible(data.organization),
    project,
    crumbs: [{ href: projectHref(project, 'tasks'), text: 'Tasks' }],
    error,
    children: NewTaskView({ path: visit.path, formToken: visit.formToken, error, entered }),
  });
}

const enteredTask = (form: URLSearchParams): EnteredTask => ({
  name: (form.get('name') ?? '').trim(),
  description: form.get('description') ?? '',
  assigneeEmail: (form.get('assigneeEmail') ?? '').trim(),
  dueAt: form.get('dueAt') ?? '',
});

/** The last second of a day, so that a task is overdue only after it; null where none is given, undefined for what is no day. */
function endOf(day: string): string | null | undefined {
  if (!day) return null;
  const start = parseDay(day);
  return start && new Date(start.getTime() + DAY - SECOND).toISOString();
}

async function create(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = enteredTask(form);
  const dueAt = endOf(entered.dueAt);
  if (!entered.name) return showForm(visit, fieldError('name', 'Enter a name.'), entered);
  if (dueAt === undefined)
    return showForm(visit, fieldError('dueAt', 'Enter a day such as 2026-01-31.'), entered);
  const [organizationId, projectId] = [visit.param('organization'), visit.param('project')];
  const task = { ...entered, dueAt, assigneeEmail: entered.assigneeEmail || null };
  return attempt(
    async () => {
      const { createTasks } = await visit.run(CREATE, {
        input: { organizationId, projectId, tasks: [task] },
      });
      const list = `${sectionHref(visit, 'projects')}/${projectId}/tasks`;
      return seeOther(`${list}/${createTasks.tasks[0]?.id}?done=created`);
    },
    (error) => showForm(visit, error, entered),
  );
}
