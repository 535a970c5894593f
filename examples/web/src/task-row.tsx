import { useState } from 'react';
import { useMutation } from 'urql';
import { shortDate } from './format.ts';
import type { TaskRowFragment } from './gql/graphql.ts';
import { COMPLETE_TASK, REOPEN_TASK } from './operations.ts';

/** A task, which can be completed and opened again. */
export function TaskRow({ task, note }: { task: TaskRowFragment; note?: string }) {
  const [, complete] = useMutation(COMPLETE_TASK);
  const [, reopen] = useMutation(REOPEN_TASK);
  // The cache shows a change at once, but not while the list is read again: until then the row shows it itself.
  const [change, setChange] = useState<{ from: string; to: string }>();
  if (change && change.from !== task.state) setChange(undefined);
  const done = (change?.to ?? task.state) === 'COMPLETED';
  const toggle = async () => {
    setChange({ from: task.state, to: done ? 'OPEN' : 'COMPLETED' });
    const { error } = await (done ? reopen : complete)({ input: { taskId: task.id } });
    if (error) setChange(undefined);
  };
  return (
    <li className={done ? 'task done' : 'task'}>
      <label>
        <input type="checkbox" checked={done} onChange={toggle} disabled={task.state === 'DENIED'} />
        <span>{task.name}</span>
        {task.state === 'DENIED' && <span className="badge denied">Denied</span>}
      </label>
      <span className="muted small">
        {[note, task.assigneeEmail?.split('@')[0], task.dueAt && ' '].filter(Boolean).join(' · ')}
        {task.dueAt && <time className={task.overdue && !done ? 'late' : ''}>{shortDate(task.dueAt)}</time>}
      </span>
    </li>
  );
}
