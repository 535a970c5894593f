import { Name } from '../../ui/name.tsx';
import { StartView } from '../processes/start-view.tsx';
import { CommentsView } from '../ui/comments-view.tsx';
import { Names } from '../ui/names.tsx';
import { Facts, Row, Rows, Time } from '../ui/parts.tsx';
import { mayEdit, type PageProject, projectHref } from '../ui/project-tabs.tsx';
import type { Task, TaskViewProps } from './task.ts';
import { TaskForms } from './task-forms.tsx';
import { Assignee, TaskBadge, TaskRow } from './task-row.tsx';

export const TaskView = (props: TaskViewProps) => {
  const { path, formToken, project, task, startable, after, error, entered } = props;
  return (
    <>
      <section class="card" aria-label="The task">
        {task.description && <p class="text">{task.description}</p>}
        <TaskFacts task={task} project={project} />
      </section>
      {mayEdit(project) && <TaskForms {...props} />}
      {startable && (
        <StartView
          {...{ ...startable, path, formToken, error, chosen: entered?.processId }}
          mayStart={mayEdit(project) && task.state === 'OPEN'}
        />
      )}
      {task.documents.nodes.length > 0 && <Documents task={task} project={project} />}
      {task.subtasks.nodes.length > 0 && <Subtasks task={task} />}
      <CommentsView
        {...{ path, formToken, comments: task.comments, after, error }}
        mayAdd={mayEdit(project)}
        field="texts"
        entered={entered?.texts}
      />
    </>
  );
};

const TaskFacts = ({ task, project }: { task: Task; project: PageProject }) => (
  <Facts
    facts={[
      ['State', <TaskBadge task={task} />],
      ...(task.state === 'OPEN' ? [] : closedFacts(task)),
      ['Assigned to', task.assigneeEmail ? <Assignee task={task} /> : 'Nobody'],
      ['Due', task.dueAt ? <Time at={task.dueAt} byMinute /> : 'No due date'],
      ...(task.duration ? [['Takes', durationText(task.duration)] as const] : []),
      ...(task.priority > 0 ? [['Priority', `${task.priority} of 9`] as const] : []),
      ...(task.tags.length > 0 ? [['Tags', <Tags tags={task.tags} />] as const] : []),
      ...(task.stakeholders.length > 0
        ? [['Kept informed', <Names of={task.stakeholders} maxLength={60} />] as const]
        : []),
      ...(task.parent
        ? [
            [
              'Part of',
              <a href={projectHref(project, `tasks/${task.parent.id}`)}>
                <Name of={task.parent.name} maxLength={80} />
              </a>,
            ] as const,
          ]
        : []),
      [
        'Created',
        <>
          <Time at={task.createdAt} byMinute /> by <Name of={task.createdBy.name} maxLength={80} />
        </>,
      ],
    ]}
  />
);

/** When and by whom a task was completed or denied, and with which result. */
const closedFacts = ({ completedAt, completedBy, result }: Task) => [
  [
    'Closed',
    <>
      {completedAt && <Time at={completedAt} byMinute />}
      {completedBy && (
        <>
          {' '}
          by <Name of={completedBy.name} maxLength={80} />
        </>
      )}
    </>,
  ] as const,
  ...(result ? [['Result', <bdi class="who">{result}</bdi>] as const] : []),
];

const durationText = ({ amount, unit }: NonNullable<Task['duration']>): string =>
  `${amount} ${unit.toLowerCase()}${amount === 1 ? '' : 's'}`;

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <>
    {tags.map((tag) => (
      <>
        <span class="badge">
          <Name of={tag} maxLength={40} />
        </span>{' '}
      </>
    ))}
  </>
);

const Documents = ({ task: { documents }, project }: { task: Task; project: PageProject }) => (
  <section class="card" aria-labelledby="documents">
    <h2 id="documents">Documents</h2>
    <Rows count={documents.nodes.length} empty="">
      {documents.nodes.map(({ id, name }) => (
        <Row>
          <a href={projectHref(project, `documents/${id}`)}>
            <Name of={name} maxLength={120} />
          </a>
        </Row>
      ))}
    </Rows>
    {documents.pageInfo.hasNextPage && <p>These are the first 25.</p>}
  </section>
);

const Subtasks = ({ task: { subtasks } }: { task: Task }) => (
  <section class="card" aria-labelledby="subtasks">
    <h2 id="subtasks">Parts of it</h2>
    <Rows count={subtasks.nodes.length} empty="">
      {subtasks.nodes.map((task) => (
        <TaskRow task={task} />
      ))}
    </Rows>
    {subtasks.pageInfo.hasNextPage && <p>These are the first 25 by due date.</p>}
  </section>
);
