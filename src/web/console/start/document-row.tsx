import type { ConsoleDocumentLineFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Row, Time } from '../ui/parts.tsx';

/** A document of a list of several projects. */
export const DocumentRow = ({ document }: { document: ConsoleDocumentLineFragment }) => {
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
