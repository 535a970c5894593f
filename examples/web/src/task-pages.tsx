import { useState } from 'react';
import { useQuery } from 'urql';
import { TASKS } from './operations.ts';
import { TaskRow } from './task-row.tsx';
import { WhenVisible } from './when-visible.tsx';

/** The tasks of a project, page by page as one scrolls. */
export const TaskPages = ({ project }: { project: string }) => (
  <ul className="rows">
    <Page project={project} />
  </ul>
);

function Page({ project, after }: { project: string; after?: string }) {
  const [{ data, fetching }] = useQuery({ query: TASKS, variables: { project, after } });
  const [more, setMore] = useState(false);
  const tasks = data?.project?.tasks;
  if (!tasks) return <li className="empty">{fetching ? 'Loading …' : ''}</li>;
  if (!after && tasks.nodes.length === 0) return <li className="empty">No tasks.</li>;
  const { hasNextPage, endCursor } = tasks.pageInfo;
  return (
    <>
      {tasks.nodes.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
      {hasNextPage && endCursor && !more && <WhenVisible then={() => setMore(true)} />}
      {hasNextPage && endCursor && more && <Page project={project} after={endCursor} />}
    </>
  );
}
