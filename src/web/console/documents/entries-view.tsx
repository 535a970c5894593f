import type {
  ConsoleDocumentEntryFragment,
  ConsoleDocumentPageFragment,
  ConsoleFolderEntryFragment,
  ConsoleFolderPageFragment,
} from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Filters, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import type { PageProject } from '../ui/project-tabs.tsx';
import { documentHref, folderHref, ownPath } from './hrefs.ts';
import { kindText, pagesText, sizeText } from './kind-text.ts';
import type { ListQuery } from './list-query.ts';

export interface EntriesProps {
  project: PageProject;
  /** The path of the page. */
  path: string;
  query: ListQuery;
  folders: ConsoleFolderPageFragment;
  documents: ConsoleDocumentPageFragment;
}

/** The folders and the documents of a folder or of the root. */
export const EntriesView = ({ project, path, query, folders, documents }: EntriesProps) => (
  <>
    {project.disabled && <p class="lead">The project is disabled: nothing in it changes.</p>}
    {folders.nodes.length > 0 && (
      <section class="card" aria-labelledby="folders">
        <h2 id="folders">Folders</h2>
        <ul class="folders">
          {folders.nodes.map((folder) => (
            <FolderEntry folder={folder} project={project} />
          ))}
        </ul>
        <Pager
          {...{ path, after: query.folders, pageInfo: folders.pageInfo, parameter: 'folders' }}
          filters={{ sort: query.sort }}
          label="Pages of folders"
        />
      </section>
    )}
    <section class="card" aria-labelledby="documents">
      <h2 id="documents">Documents</h2>
      {documents.nodes.length > 1 && (
        <Filters
          label="Order of the documents"
          name="sort"
          chosen={query.sort}
          path={path}
          choices={ORDERS}
        />
      )}
      <Rows count={documents.nodes.length} empty="There are no documents here.">
        {documents.nodes.map((document) => (
          <DocumentEntry document={document} project={project} />
        ))}
      </Rows>
      <Pager
        {...{ path, after: query.after, pageInfo: documents.pageInfo }}
        filters={{ sort: query.sort }}
        label="Pages of documents"
      />
    </section>
  </>
);

export const RecycleBinLink = ({ path }: { path: string }) => (
  <p class="below">
    <a href={`${path}/bin`}>Recycle bin</a>
  </p>
);

const ORDERS = [
  { value: '', text: 'By name' },
  { value: 'newest', text: 'Last changed first' },
];

const FolderEntry = ({ folder, project }: { folder: ConsoleFolderEntryFragment; project: PageProject }) => (
  <li>
    <FolderIcon color={folder.hexColor} />
    <a href={folderHref(project, folder.id)}>
      <Name of={folder.name} maxLength={80} />
    </a>
  </li>
);

const FolderIcon = ({ color }: { color: string | null }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false" class="icon" fill={color ?? 'currentColor'}>
    <path d="M3 5.5C3 4.7 3.7 4 4.5 4h5l2 2.5h8c.8 0 1.5.7 1.5 1.5v10.5c0 .8-.7 1.5-1.5 1.5h-15c-.8 0-1.5-.7-1.5-1.5z" />
  </svg>
);

const DocumentEntry = ({
  document,
  project,
}: {
  document: ConsoleDocumentEntryFragment;
  project: PageProject;
}) => (
  <Row buttons={<DocumentBadges document={document} />}>
    <div class="entry-of-list">
      <Thumbnail document={document} />
      <div>
        <a href={documentHref(project, document.id)}>
          <Name of={document.name} maxLength={120} />
        </a>
        <p>{factsOf(document).join(' · ')}</p>
        <p>
          <Changed entry={document} />
        </p>
      </div>
    </div>
  </Row>
);

/** Without a picture, a sheet with the end of the file name. */
const Thumbnail = ({
  document: { name, thumbnailUrl },
}: {
  document: Pick<ConsoleDocumentEntryFragment, 'name' | 'thumbnailUrl'>;
}) => (
  <span class="sheet" aria-hidden="true">
    {thumbnailUrl ? (
      <img src={ownPath(thumbnailUrl)} alt="" loading="lazy" decoding="async" />
    ) : (
      /\.([a-z0-9]{1,4})$/i.exec(name)?.[1]?.toUpperCase()
    )}
  </span>
);

const factsOf = ({ contentType, size, pageCount }: ConsoleDocumentEntryFragment): string[] => [
  kindText(contentType),
  sizeText(size),
  ...(pageCount === null ? [] : [pagesText(pageCount)]),
];

interface Tracked {
  createdAt: string;
  createdBy: { name: string };
  modifiedAt: string | null;
  modifiedBy: { name: string } | null;
}

/** When something was changed last, and by whom. */
export const Changed = ({ entry: { createdAt, createdBy, modifiedAt, modifiedBy } }: { entry: Tracked }) => (
  <>
    {modifiedAt ? 'Changed' : 'Added'} <Time at={modifiedAt ?? createdAt} byMinute />
    {' by '}
    <Name of={(modifiedBy ?? createdBy).name} maxLength={60} />
  </>
);

type Standing = Pick<
  ConsoleDocumentEntryFragment,
  'textStatus' | 'legalHold' | 'signedAt' | 'signatureSession' | 'pendingApproval'
>;

/** What is special about a document; nothing for most. */
export const DocumentBadges = ({
  document: { textStatus, legalHold, signedAt, signatureSession, pendingApproval },
}: {
  document: Standing;
}) => (
  <>
    {textStatus === 'PENDING' && <Badge text="Processing" />}
    {textStatus === 'FAILED' && <Badge text="Text not read" tone="bad" />}
    {pendingApproval && <Badge text="Waits for approval" />}
    {signatureSession?.state === 'ACTIVE' && <Badge text="Being signed" />}
    {signedAt && <Badge text="Signed" tone="good" />}
    {legalHold && <Badge text="Legal hold" />}
  </>
);
