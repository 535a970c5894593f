import { useQuery } from 'urql';
import { More } from './more.tsx';
import { TASKS } from './operations.ts';
import { TaskRow } from './task-row.tsx';

/** The tasks of a project, page by page as one scrolls. */
export const TaskPages = ({ project }: { project: string }) => (
  <ul className="rows">
    <Page project={project} />
  </ul>
);

function Page({ project, after }: { project: string; after?: string }) {
  const [{ data, fetching }] = useQuery({ query: TASKS, variables: { project, after } });
  const tasks = data?.project?.tasks;
  if (!tasks) return <li className="empty">{fetching ? 'Loading …' : ''}</li>;
  if (!after && tasks.nodes.length === 0) return <li className="empty">No tasks.</li>;
  const { hasNextPage, endCursor } = tasks.pageInfo;
  return (
    <>
      {tasks.nodes.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
      {hasNextPage && endCursor && (
        <More>
          <Page project={project} after={endCursor} />
        </More>
      )}
    </>
  );
}
