import type { ConsoleOwnTasksQuery, ConsoleTasksQuery } from '../../../generated/operations/graphql.ts';
import { Filters, Pager, Rows } from '../ui/parts.tsx';
import { mayEdit } from '../ui/project-tabs.tsx';
import { PARTS, type Part } from './choice.ts';
import { TaskRow } from './task-row.tsx';

interface ListProps {
  path: string;
  part: Part;
  after: string | undefined;
}

type OwnTasksProps = ListProps & { tasks: ConsoleOwnTasksQuery['viewer']['tasks'] };

/** The tasks that are assigned to the viewer, in all projects. */
export const OwnTasksView = ({ path, tasks: { nodes, pageInfo }, part, after }: OwnTasksProps) => (
  <>
    <p class="lead">They are assigned to you, in all your projects.</p>
    <Filters label="Which tasks" path={path} name="show" chosen={part.value} choices={PARTS} />
    <section class="card" aria-label="Tasks">
      <Rows count={nodes.length} empty={part.empty}>
        {nodes.map((task) => (
          <TaskRow task={task} withProject />
        ))}
      </Rows>
      <Pager path={path} filters={{ show: part.value }} after={after} pageInfo={pageInfo} />
    </section>
  </>
);

type TasksProps = ListProps & {
  project: NonNullable<ConsoleTasksQuery['project']>;
  /** Whether only those of the viewer are listed. */
  isOwn: boolean;
};

const WHOSE = [
  { value: '', text: 'Of everybody' },
  { value: 'own', text: 'Assigned to you' },
] as const;

/** The tasks of a project. */
export const TasksView = ({ path, project, part, isOwn, after }: TasksProps) => {
  const { nodes, pageInfo } = project.tasks;
  const [show, whose] = [part.value, isOwn ? 'own' : ''];
  return (
    <>
      {mayEdit(project) && (
        <p>
          <a class="button" href={`${path}/new`}>
            New task
          </a>
        </p>
      )}
      <Filters
        {...{ label: 'Which tasks', path, others: { whose }, name: 'show', chosen: show, choices: PARTS }}
      />
      <Filters
        {...{ label: 'Whose tasks', path, others: { show }, name: 'whose', chosen: whose, choices: WHOSE }}
      />
      <section class="card" aria-label="Tasks">
        <Rows count={nodes.length} empty={part.empty}>
          {nodes.map((task) => (
            <TaskRow task={task} />
          ))}
        </Rows>
        <Pager path={path} filters={{ show, whose }} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
};
