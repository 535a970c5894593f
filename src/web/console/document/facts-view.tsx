import { Changed, DocumentBadges } from '../documents/entries-view.tsx';
import { ownPath } from '../documents/hrefs.ts';
import { kindText, pagesText, sizeText } from '../documents/kind-text.ts';
import { Badge, Facts, Time } from '../ui/parts.tsx';
import type { ConsoleDocument } from './console-document.ts';

/** What a document is and how it stands, with links to its content. `isShown`: browsers show files of its kind. */
export const FactsView = ({ document, isShown }: { document: ConsoleDocument; isShown: boolean }) => (
  <section class="card" aria-label="About the document">
    <p class="buttons">
      <a class="button" href={ownPath(document.downloadUrl)}>
        Download
      </a>
      <OpenLink document={document} isShown={isShown} />
    </p>
    <Facts facts={[...factsOf(document), ...fieldsOf(document)]} />
  </section>
);

/** Leads to what browsers show: the file, or the PDF of an office file. */
const OpenLink = ({ document, isShown }: { document: ConsoleDocument; isShown: boolean }) => {
  const { rendition } = document.currentRevision;
  const url = rendition ? rendition.downloadUrl : isShown && document.openUrl;
  return url ? (
    <a class="button plain" href={ownPath(url)} target="_blank" rel="noopener">
      {rendition ? 'Open as PDF' : 'Open in a new tab'}
    </a>
  ) : null;
};

type Fact = Parameters<typeof Facts>[0]['facts'][number];

function factsOf(document: ConsoleDocument): Fact[] {
  const { contentType, size, tags, legalHold, legalHoldReason, signedAt } = document;
  return [
    ['Kind', `${kindText(contentType)}, ${sizeText(size)}${lengthOf(document)}`],
    ['State', <State document={document} />],
    ['Last change', <Changed entry={document} />],
    ...(tags.length > 0 ? [['Tags', <Values values={tags} />] as const] : []),
    ...approvalOf(document),
    ...(signedAt ? [['Signed', <Time at={signedAt} byMinute />] as const] : []),
    ...(legalHold ? [['Legal hold', <bdi>{legalHoldReason ?? 'Yes'}</bdi>] as const] : []),
  ];
}

/** The approval that the document waits for, with its page. */
const approvalOf = ({ pendingApproval, project }: ConsoleDocument): Fact[] =>
  pendingApproval
    ? [
        [
          'Approval',
          <a href={`/console/${project.organizationId}/approvals/${pendingApproval.id}`}>
            {pendingApproval.overdue ? 'Waits, and is overdue' : 'Waits for a decision'}
          </a>,
        ],
      ]
    : [];

/** The pages of a file, or of the PDF of an office file. */
export const pageCountOf = ({ pageCount, currentRevision }: ConsoleDocument): number | null =>
  pageCount ?? currentRevision.rendition?.pageCount ?? null;

function lengthOf(document: ConsoleDocument): string {
  const pageCount = pageCountOf(document);
  return pageCount === null ? '' : `, ${pagesText(pageCount)}`;
}

const State = ({ document }: { document: ConsoleDocument }) => {
  const { state, textError, textStatus, pageStatus } = document;
  return (
    <>
      {state === 'RECYCLED' && <Badge text="In the recycle bin" tone="bad" />}{' '}
      <DocumentBadges document={document} /> <span>{TEXT_STATES[textStatus]}</span> <span>{textError}</span>{' '}
      <span>{PAGE_STATES[pageStatus]}</span> <span>{renditionText(document)}</span>
    </>
  );
};

/** What search finds of the file. */
const TEXT_STATES: Record<ConsoleDocument['textStatus'], string> = {
  PENDING: 'Its text is being read, and can be searched soon.',
  READY: 'Ready. Its text can be searched.',
  FAILED: 'Its text could not be read.',
  NONE: 'Ready. The file has no text to search.',
  SKIPPED: 'Ready. Its text was not read.',
};

const PAGE_STATES: Record<ConsoleDocument['pageStatus'], string> = {
  READY: '',
  PENDING: 'Its pages are being counted.',
  BROKEN: 'The file is broken.',
  COSTLY: 'It is too large to show its pages.',
  LOCKED: 'It is locked with a password.',
};

const renditionText = ({ currentRevision: { rendition } }: ConsoleDocument): string =>
  rendition?.state === 'PENDING' ? 'Its pages are being made.' : '';

const fieldsOf = ({ fieldValues }: ConsoleDocument): Fact[] =>
  fieldValues.map(({ field, values }): Fact => {
    const shown = <Values values={values} />;
    return [
      <bdi>{field.label || field.name}</bdi>,
      field.sensitive ? (
        <details>
          <summary>Show</summary>
          {shown}
        </details>
      ) : (
        shown
      ),
    ];
  });

const Values = ({ values }: { values: readonly string[] }) => (
  <>
    {values.map((value, index) => (
      <>
        {index > 0 && ', '}
        <bdi>{value}</bdi>
      </>
    ))}
  </>
);
