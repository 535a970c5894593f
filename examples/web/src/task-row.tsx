import { useMutation } from 'urql';
import { shortDate } from './format.ts';
import type { TaskRowFragment } from './gql/graphql.ts';
import { COMPLETE_TASK, REOPEN_TASK } from './operations.ts';

/** A task, which can be completed and opened again. */
export function TaskRow({ task, note }: { task: TaskRowFragment; note?: string }) {
  const [, complete] = useMutation(COMPLETE_TASK);
  const [, reopen] = useMutation(REOPEN_TASK);
  const done = task.state === 'COMPLETED';
  const toggle = () => (done ? reopen : complete)({ input: { taskId: task.id } });
  return (
    <li className={done ? 'task done' : 'task'}>
      <label>
        <input type="checkbox" checked={done} onChange={toggle} disabled={task.state === 'DENIED'} />
        <span>{task.name}</span>
        {task.state === 'DENIED' && <span className="badge denied">Denied</span>}
      </label>
      <span className="muted small">
        {[note, task.assigneeEmail?.split('@')[0]].filter(Boolean).join(' · ')}
        {task.dueAt && <time className={task.overdue && !done ? 'late' : ''}> {shortDate(task.dueAt)}</time>}
      </span>
    </li>
  );
}
