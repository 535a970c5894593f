import type { ConsoleProjectsQuery } from '../../../generated/operations/graphql.ts';
import { Pager, Rows } from '../ui/parts.tsx';
import { ProjectRow } from './project-row.tsx';

interface ProjectsViewProps {
  organization: NonNullable<ConsoleProjectsQuery['organization']>;
  after: string | undefined;
}

export const ProjectsView = ({ organization, after }: ProjectsViewProps) => {
  const path = `/console/${organization.id}/projects`;
  const { nodes, pageInfo } = organization.projects;
  return (
    <section class="card" aria-label="Projects">
      <Rows count={nodes.length} empty="You take part in no project here.">
        {nodes.map((project) => (
          <ProjectRow project={project} />
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
  );
};
