import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleAssignTaskDocument,
  ConsoleCommentTaskDocument,
  ConsoleCompleteTaskDocument,
  ConsoleDenyTaskDocument,
  ConsoleReopenTaskDocument,
  ConsoleTaskDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { readStartable, START_FIELDS, startOn } from '../processes/start.ts';
import { attempt, type FormError, fieldError, inField } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { projectHref, visibleProject } from '../ui/project-tabs.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import type { EnteredChange } from './task.ts';
import { taskHref } from './task-row.tsx';
import { TaskView } from './task-view.tsx';

const TASK = storedOperation(ConsoleTaskDocument);
const COMPLETE = storedMutation(ConsoleCompleteTaskDocument);
const DENY = storedMutation(ConsoleDenyTaskDocument);
const REOPEN = storedMutation(ConsoleReopenTaskDocument);
const ASSIGN = storedMutation(ConsoleAssignTaskDocument);
const COMMENT = storedMutation(ConsoleCommentTaskDocument);

/** `tasks/TASK`: what is to be done, and the changes of its state. */
export function taskPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/tasks/:task`;
  pages.get(path, (visit) => showTask(visit));
  pages.post(`${path}/state`, changeState);
  pages.post(`${path}/assignee`, assign);
  pages.post(`${path}/comments`, comment);
  pages.post(`${path}/processes`, start);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  created: 'The task was created.',
  completed: 'The task was completed.',
  denied: 'The task was denied.',
  reopened: 'The task was reopened.',
  assigned: 'The assignee was changed.',
  commented: 'The comment was added.',
  started: 'The process was started.',
};

async function showTask(visit: Visit, error?: FormError, entered?: EnteredChange): Promise<Response> {
  const id = visit.param('organization');
  const [projectId, taskId] = [visit.param('project'), visit.param('task')];
  const after = visit.query('comments');
  const variables = { id, projectId, taskId, comments: after };
  const { organization, task, ...data } = await visit.run(TASK, variables);
  const project = visibleProject(data.project, id);
  if (task?.project.id !== project.id) throw notFound('Task');
  return consolePage({
    visit,
    title: task.name,
    organization: visible(organization),
    project,
    crumbs: [{ href: projectHref(project, 'tasks'), text: 'Tasks' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: TaskView({
      ...{ path: taskHref(task), formToken: visit.formToken, project, task, after, error, entered },
      startable: await readStartable(visit, task.id),
    }),
  });
}

/** The task of a form. */
const target = ({ param }: Visit) => ({
  organizationId: param('organization'),
  projectId: param('project'),
  taskId: param('task'),
});

/** Runs a change, and returns to the page of the task. */
const change = (
  visit: Visit,
  done: string,
  run: () => Promise<unknown>,
  entered?: EnteredChange,
  shown = (error: FormError) => error,
): Promise<Response> =>
  attempt(
    async () => {
      await run();
      const tasks = `${sectionHref(visit, 'projects')}/${visit.param('project')}/tasks`;
      return seeOther(`${tasks}/${visit.param('task')}?done=${done}`);
    },
    (error) => showTask(visit, shown(error), entered),
  );

function changeState(visit: Visit, form: URLSearchParams): Promise<Response> {
  const result = (form.get('result') ?? '').trim();
  const input = { ...target(visit), result: result || null };
  if (form.get('do') === 'reopen')
    return change(visit, 'reopened', () => visit.run(REOPEN, { input: target(visit) }));
  if (form.get('do') === 'deny') return change(visit, 'denied', () => visit.run(DENY, { input }), { result });
  return change(visit, 'completed', () => visit.run(COMPLETE, { input }), { result });
}

function assign(visit: Visit, form: URLSearchParams): Promise<Response> {
  const assigneeEmail = (form.get('assigneeEmail') ?? '').trim();
  const input = { ...target(visit), assigneeEmail: assigneeEmail || null };
  return change(visit, 'assigned', () => visit.run(ASSIGN, { input }), { assigneeEmail });
}

async function comment(visit: Visit, form: URLSearchParams): Promise<Response> {
  const texts = (form.get('texts') ?? '').trim();
  if (!texts) return showTask(visit, fieldError('texts', 'Enter a comment.'));
  const input = { ...target(visit), texts: [texts] };
  return change(visit, 'commented', () => visit.run(COMMENT, { input }), { texts });
}

const start = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  change(
    visit,
    'started',
    () => startOn(visit, form, visit.param('task')),
    { processId: form.get('processId') ?? '' },
    (error) => inField(error, START_FIELDS),
  );
