import type { ConsoleTaskLineFragment } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Row, Time, wordsOf } from '../ui/parts.tsx';

type TaskLine = ConsoleTaskLineFragment;

export const taskHref = ({ organizationId, project, id }: TaskLine): string =>
  `/console/${organizationId}/projects/${project.id}/tasks/${id}`;

/** A task of a list, with its project unless all are of one. */
export const TaskRow = ({ task, withProject }: { task: TaskLine; withProject?: boolean }) => (
  <Row buttons={<TaskBadge task={task} />}>
    <a href={taskHref(task)}>
      <Name of={task.name} maxLength={120} />
    </a>
    <p>
      {task.dueAt ? (
        <>
          Due <Time at={task.dueAt} />
        </>
      ) : (
        'No due date'
      )}
      {' · '}
      {withProject ? <Name of={task.project.name} maxLength={60} /> : <Assignee task={task} />}
    </p>
  </Row>
);

/** The state of a task; of an open one only whether it is overdue. */
export const TaskBadge = ({ task: { state, overdue } }: { task: Pick<TaskLine, 'state' | 'overdue'> }) =>
  overdue ? (
    <Badge text="Overdue" tone="bad" />
  ) : (
    <Badge text={wordsOf(state)} tone={state === 'COMPLETED' ? 'good' : undefined} />
  );

/** Who does it: by name, or by the address of somebody who has no name here. */
export const Assignee = ({ task: { assignee, assigneeEmail } }: { task: TaskLine }) => {
  if (assignee) return <Name of={assignee.name} maxLength={60} />;
  return assigneeEmail ? <bdi class="who">{shownEmail(assigneeEmail)}</bdi> : <>Assigned to nobody</>;
};
