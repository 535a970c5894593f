import type { SearchKind, SearchPart } from '../../../generated/operations/graphql.ts';
import { Name, shownName } from '../../ui/name.tsx';
import { Badge, hrefOf, Row } from '../ui/parts.tsx';
import { foundOf, type Hit, piecesOf } from './hit.ts';

type Highlight = Hit['highlights'][number];

/** How many snippets of an object are shown. */
const MAX_SNIPPETS = 3;

export const KIND_TEXTS: Record<SearchKind, string> = {
  DOCUMENT: 'Document',
  FOLDER: 'Folder',
  TASK: 'Task',
  FORM: 'Form',
};

/** One result: its name, where it is, and snippets with the words that were found. */
export const HitView = ({ hit, showsProject }: { hit: Hit; showsProject: boolean }) => {
  const target = foundOf(hit);
  if (!target) return null;
  const { name, href, project } = target;
  const title = <Title name={name} highlights={hit.highlights} />;
  const snippets = hit.highlights.filter(({ part }) => part !== 'NAME').slice(0, MAX_SNIPPETS);
  return (
    <Row buttons={<Badge text={KIND_TEXTS[hit.kind]} />}>
      {href ? <a href={href}>{title}</a> : title}
      {showsProject && project && (
        <p>
          In <Name of={project.name} maxLength={80} />
        </p>
      )}
      {snippets.map((highlight) => (
        <Snippet highlight={highlight} href={hit.kind === 'DOCUMENT' ? href : undefined} />
      ))}
    </Row>
  );
};

/** The name, with the words in it that were found. */
const Title = ({ name, highlights }: { name: string; highlights: readonly Highlight[] }) => {
  const shown = shownName(name, 200);
  const matched = highlights.find(({ part, text }) => part === 'NAME' && text === shown);
  return matched ? (
    <bdi class="who">
      <Marked {...matched} />
    </bdi>
  ) : (
    <Name of={name} maxLength={200} />
  );
};

const Snippet = ({ highlight, href }: { highlight: Highlight; href: string | undefined }) => (
  <p>
    <Source highlight={highlight} href={href} />{' '}
    <bdi>
      <Marked {...highlight} />
    </bdi>
  </p>
);

const PARTS: Record<SearchPart, string> = {
  NAME: 'Name',
  TAG: 'Tag',
  VALUE: 'Value',
  COMMENT: 'Comment',
  FOLDER: 'In the folder',
  TEXT: 'Text',
};

/** Where a snippet is from; the page of a document leads to its picture. */
const Source = ({
  highlight: { part, label, page },
  href,
}: {
  highlight: Highlight;
  href: string | undefined;
}) => {
  if (label) return <bdi>{label}:</bdi>;
  if (part !== 'TEXT' || page === null || !href) return <>{PARTS[part]}:</>;
  return <a href={`${hrefOf(href, { page: `${page}` })}#pages`}>Page {page}:</a>;
};

/** A text with its words that were found marked. */
const Marked = ({ text, matches }: Pick<Highlight, 'text' | 'matches'>) => (
  <>{piecesOf(text, matches).map((piece, index) => (index % 2 ? <mark>{piece}</mark> : piece))}</>
);
