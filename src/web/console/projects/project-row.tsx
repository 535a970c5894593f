import type { ConsoleProjectLineFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Row, wordsOf } from '../ui/parts.tsx';
import { projectHref } from '../ui/project-tabs.tsx';
import { accessText } from './access-text.ts';

/** A project of a list. */
export const ProjectRow = ({ project }: { project: ConsoleProjectLineFragment }) => (
  <Row
    buttons={
      <>
        {project.disabled && <Badge text="Disabled" tone="bad" />}
        <Badge text={`You: ${wordsOf(project.viewerRole).toLowerCase()}`} />
      </>
    }
  >
    <a href={projectHref(project)}>
      <Name of={project.name} maxLength={80} />
    </a>
    <p>{accessText(project.access)}</p>
  </Row>
);
