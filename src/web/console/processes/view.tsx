import type { ConsoleProcessesQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Names } from '../ui/names.tsx';
import { Badge, Pager, Row, Rows } from '../ui/parts.tsx';
import { mayManage, projectHref } from '../ui/project-tabs.tsx';

interface ProcessesProps {
  project: NonNullable<ConsoleProcessesQuery['project']>;
  after: string | undefined;
}

export const ProcessesView = ({ project, after }: ProcessesProps) => {
  const path = projectHref(project, 'processes');
  const { nodes, pageInfo } = project.processes;
  return (
    <>
      <p class="lead">
        A process says who has to approve what, in steps. Editors start it on a document or a task, on its
        page.
      </p>
      {mayManage(project) && (
        <p>
          <a class="button" href={`${path}/new`}>
            New process
          </a>
        </p>
      )}
      <section class="card" aria-label="Processes">
        <Rows count={nodes.length} empty="There is no process. Admins of the project create one.">
          {nodes.map(({ id, name, disabled, steps }) => (
            <Row buttons={disabled && <Badge text="Disabled" />}>
              <a href={`${path}/${id}`}>
                <Name of={name} maxLength={120} />
              </a>
              <p>
                <Names of={steps.nodes} maxLength={40} />
              </p>
            </Row>
          ))}
        </Rows>
        <Pager path={path} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
};
