import type { ConsoleSignatureQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { ButtonForm, Confirmation, Form } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Badge, Facts, Time, wordsOf } from '../ui/parts.tsx';
import { mayEdit, type PageProject, projectHref } from '../ui/project-tabs.tsx';
import { SignersView } from './signers-view.tsx';
import { STOP_REASONS, sessionText } from './state-text.ts';

type Session = NonNullable<ConsoleSignatureQuery['signatureSession']>;

interface SessionViewProps {
  path: string;
  formToken: string;
  project: PageProject;
  session: Session;
  /** The cursor of the signers. */
  after: string | undefined;
  error?: FormError;
}

export const SessionView = (props: SessionViewProps) => {
  const { path, formToken, project, session, after } = props;
  const isEditor = mayEdit(project);
  return (
    <>
      <section class="card" aria-label="The document">
        <SessionFacts session={session} />
        <Files session={session} project={project} />
      </section>
      {session.state === 'COMPLETED' && <Sealing {...props} />}
      <SignersView {...{ path, formToken, session, after, isEditor }} />
      {session.state === 'ACTIVE' && isEditor && <Stop {...props} />}
    </>
  );
};

const SessionFacts = ({ session }: { session: Session }) => (
  <Facts
    facts={[
      ['State', <Badge {...sessionText(session)} />],
      [
        'Created',
        <>
          <Time at={session.createdAt} byMinute /> by <Name of={session.createdBy.name} maxLength={80} />
        </>,
      ],
      ...(session.state === 'ACTIVE' && session.expiresAt
        ? [['To be signed until', <Time at={session.expiresAt} byMinute />] as const]
        : []),
      ...(session.completedAt
        ? [['Signed by all', <Time at={session.completedAt} byMinute />] as const]
        : []),
      ...(session.stoppedAt ? [['Stopped', <Time at={session.stoppedAt} byMinute />] as const] : []),
      ...(session.stopReason ? [['Why', STOP_REASONS[session.stopReason]] as const] : []),
      ...(session.renditionSha256
        ? [['SHA-256 of the PDF of the office file', <code>{session.renditionSha256}</code>] as const]
        : []),
      ...(session.copySha256
        ? [['SHA-256 of what is signed', <code>{session.copySha256}</code>] as const]
        : []),
    ]}
  />
);

/** The page of the document, the file that is signed, and the signed one. */
const Files = ({
  session: { document, revision, sealing },
  project,
}: {
  session: Session;
  project: PageProject;
}) => (
  <p class="ways">
    {sealing.sealedRevision && <a href={sealing.sealedRevision.downloadUrl}>Download the signed file</a>}
    <a href={revision.downloadUrl} target="_blank" rel="noreferrer">
      File before signing (revision {revision.number})
    </a>
    <a href={projectHref(project, `documents/${document.id}`)}>Page of the document</a>
  </p>
);

/** Whether the signed file exists, and why not. */
const Sealing = ({ path, formToken, project, session: { id, sealing } }: SessionViewProps) => (
  <section class="card" aria-labelledby="sealing">
    <h2 id="sealing">Signed file</h2>
    {sealing.state === 'SEALED' && (
      <p>
        It is sealed with a digital signature. Anyone can <a href={`/verify/${id}`}>check a copy</a> of it.
      </p>
    )}
    {sealing.timestampedAt && (
      <p>
        That was before <Time at={sealing.timestampedAt} byMinute />, by the clock of{' '}
        <Name of={sealing.timestampAuthority ?? ''} maxLength={120} />.
      </p>
    )}
    {sealing.level === 'B_LTA' && (
      <p>The file has the answers of the authorities that no certificate was revoked.</p>
    )}
    {sealing.state === 'PENDING' && <p>It is being sealed.</p>}
    {sealing.lastError && sealing.state !== 'SEALED' && (
      <p class="text">
        {sealing.state === 'FAILED' ? 'It could not be sealed' : 'The last attempt failed'}:{' '}
        {sealing.lastError}
      </p>
    )}
    {sealing.lastError && sealing.state === 'PENDING' && sealing.nextAttemptAt && (
      <p>
        It is tried again at <Time at={sealing.nextAttemptAt} byMinute />.
      </p>
    )}
    {sealing.removed.length > 0 && (
      <p>Left out of the PDF, as no reader shows it on paper: {sealing.removed.map(wordsOf).join(', ')}.</p>
    )}
    {mayEdit(project) && sealing.lastError && sealing.state !== 'SEALED' && (
      <ButtonForm action={`${path}/sealing`} formToken={formToken} text="Try again now" />
    )}
  </section>
);

const Stop = ({ path, formToken, error }: SessionViewProps) => (
  <section class="card danger" aria-labelledby="stop">
    <h2 id="stop">Stop signing</h2>
    <Form action={`${path}/stop`} formToken={formToken}>
      <Confirmation
        text="End it before everyone has signed. The links of the signers stop working at once."
        error={error}
      />
      <button type="submit" class="danger">
        Stop signing
      </button>
    </Form>
  </section>
);
