import type { ConsoleProjectsQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Pager, Row, Rows, wordsOf } from '../ui/parts.tsx';
import { accessText } from './access-text.ts';

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
        {nodes.map(({ id, name, access, disabled, viewerRole }) => (
          <Row
            buttons={
              <>
                {disabled && <Badge text="Disabled" tone="bad" />}
                <Badge text={`You: ${wordsOf(viewerRole).toLowerCase()}`} />
              </>
            }
          >
            <a href={`${path}/${id}`}>
              <Name of={name} maxLength={80} />
            </a>
            <p>{accessText(access)}</p>
          </Row>
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
  );
};
