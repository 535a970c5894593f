import type { Child } from 'hono/jsx';
import type {
  ConsoleApprovalLineFragment,
  ConsoleDocumentLineFragment,
  ConsoleTaskLineFragment,
} from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { ApprovalRow } from '../approvals/approval-row.tsx';
import { TaskRow } from '../tasks/task-row.tsx';
import { Row, Rows, Time } from '../ui/parts.tsx';

/** What the viewer has to do, and what they may want to open; of the first two, one more than is shown. */
export interface Work {
  approvals: readonly ConsoleApprovalLineFragment[];
  tasks: readonly ConsoleTaskLineFragment[];
  documents: readonly ConsoleDocumentLineFragment[];
}

const MAX_SHOWN = 5;

export const WorkView = ({ work: { approvals, tasks, documents } }: { work: Work }) => (
  <>
    <Part
      {...{ id: 'approvals', title: 'Waiting for your approval', count: approvals.length }}
      {...{ empty: 'No approval waits for you.', more: ['/console/approvals', 'All your approvals'] }}
    >
      {approvals.slice(0, MAX_SHOWN).map((approval) => (
        <ApprovalRow approval={approval} />
      ))}
    </Part>
    <Part
      {...{ id: 'tasks', title: 'Your open tasks', count: tasks.length }}
      {...{ empty: 'No open task is assigned to you.', more: ['/console/tasks', 'All your tasks'] }}
    >
      {tasks.slice(0, MAX_SHOWN).map((task) => (
        <TaskRow task={task} withProject />
      ))}
    </Part>
    <Part
      {...{ id: 'documents', title: 'Recently changed documents', count: documents.length }}
      empty="You see no document yet."
    >
      {documents.map((document) => (
        <DocumentRow document={document} />
      ))}
    </Part>
  </>
);

interface PartProps {
  id: string;
  title: string;
  count: number;
  empty: string;
  /** Where all of them are, and the text of the link. */
  more?: readonly [string, string];
  children: Child;
}

const Part = ({ id, title, count, empty, more, children }: PartProps) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <Rows count={count} empty={empty}>
      {children}
    </Rows>
    {more && count > MAX_SHOWN && (
      <p>
        <a href={more[0]}>{more[1]}</a>
      </p>
    )}
  </section>
);

const DocumentRow = ({ document }: { document: ConsoleDocumentLineFragment }) => {
  const { organizationId, project, id, name, modifiedAt, createdAt } = document;
  return (
    <Row>
      <a href={`/console/${organizationId}/projects/${project.id}/documents/${id}`}>
        <Name of={name} maxLength={120} />
      </a>
      <p>
        <Name of={project.name} maxLength={60} />, changed <Time at={modifiedAt ?? createdAt} byMinute />
      </p>
    </Row>
  );
};
