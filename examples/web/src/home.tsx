import { useQuery } from 'urql';
import { ApprovalCard } from './approval-card.tsx';
import { Link } from './link.tsx';
import { HOME } from './operations.ts';
import { TaskRow } from './task-row.tsx';

/** What waits for the person, and all projects. */
export function Home() {
  const [{ data }] = useQuery({ query: HOME });
  if (!data) return <p className="empty">Loading …</p>;
  const { name, organizations, tasks, approvals } = data.viewer;
  const waiting = approvals.nodes.filter(({ waitsForViewer }) => waitsForViewer);
  return (
    <div className="page">
      <h1>Hello, {name.split(' ')[0]}</h1>
      {waiting.length > 0 && (
        <section>
          <h2>Waiting for your decision</h2>
          <div className="stack">
            {waiting.map((approval) => (
              <ApprovalCard key={approval.id} approval={approval} project={approval.project} />
            ))}
          </div>
        </section>
      )}
      {tasks.nodes.length > 0 && (
        <section>
          <h2>Your tasks</h2>
          <ul className="rows">
            {tasks.nodes.map((task) => (
              <TaskRow key={task.id} task={task} note={task.project.name} />
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Projects</h2>
        <div className="cards">
          {organizations.nodes.flatMap((organization) =>
            organization.projects.nodes.map((project) => (
              <Link
                key={project.id}
                className="card"
                to={{ organization: organization.id, project: project.id }}
              >
                <strong>{project.name}</strong>
                <span className="muted small">
                  {organizations.nodes.length > 1 && `${organization.name} · `}
                  {project.pageCount.toLocaleString()} pages
                </span>
              </Link>
            )),
          )}
        </div>
      </section>
    </div>
  );
}
