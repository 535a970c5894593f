import {
  ConsoleRecycleBinDocument,
  type ConsoleRecycleBinQuery,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { Name } from '../../ui/name.tsx';
import { consolePage, visible } from '../ui/frame.tsx';
import { Badge, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { documentHref } from './hrefs.ts';
import { kindText, sizeText } from './kind-text.ts';
import { rootOf } from './routes.ts';

const BIN = storedOperation(ConsoleRecycleBinDocument);

/** `projects/PROJECT/bin`: the documents in the recycle bin, each of which is restored on its page. */
export function recycleBinPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/projects/:project/bin`, showBin);
}

async function showBin(visit: Visit): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const data = await visit.run(BIN, { id, projectId: visit.param('project'), after });
  const organization = visible(data.organization);
  const project = visibleProject(data.project, id);
  return consolePage({
    visit,
    title: 'Recycle bin',
    organization,
    project,
    children: BinView({ project, path: `${rootOf(visit)}/bin`, after }),
  });
}

interface BinProps {
  project: NonNullable<ConsoleRecycleBinQuery['project']>;
  path: string;
  after: string | undefined;
}

const BinView = ({ project, path, after }: BinProps) => (
  <section class="card" aria-label="Documents in the recycle bin">
    <Rows count={project.documents.nodes.length} empty="The recycle bin is empty.">
      {project.documents.nodes.map((document) => (
        <Row buttons={document.legalHold && <Badge text="Legal hold" />}>
          <a href={documentHref(project, document.id)}>
            <Name of={document.name} maxLength={120} />
          </a>
          <p>
            {kindText(document.contentType)} · {sizeText(document.size)}
          </p>
          <p>
            {document.recycledAt && (
              <>
                Moved here <Time at={document.recycledAt} byMinute />
              </>
            )}
            {document.purgeAt && (
              <>
                , deleted for good on <Time at={document.purgeAt} />
              </>
            )}
          </p>
        </Row>
      ))}
    </Rows>
    <Pager path={path} after={after} pageInfo={project.documents.pageInfo} />
  </section>
);
