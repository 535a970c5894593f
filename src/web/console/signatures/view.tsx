import type { ConsoleSignaturesQuery, SignatureSessionState } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Filters, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { SIGNER_TEXTS, sessionText } from './state-text.ts';

type Project = NonNullable<ConsoleSignaturesQuery['project']>;
type Session = Project['signatureSessions']['nodes'][number];

interface SignaturesProps {
  path: string;
  project: Project;
  state: SignatureSessionState | undefined;
  after: string | undefined;
}

const STATES = [
  { value: '', text: 'All' },
  { value: 'ACTIVE', text: 'Being signed' },
  { value: 'COMPLETED', text: 'Signed' },
  { value: 'STOPPED', text: 'Stopped' },
  { value: 'DRAFT', text: 'Drafts' },
] as const;

export const SignaturesView = ({ path, project, state, after }: SignaturesProps) => {
  const { nodes, pageInfo } = project.signatureSessions;
  return (
    <>
      <p class="lead">Documents that people sign, or have signed; the newest first.</p>
      <Filters
        {...{ label: 'Which signatures', path, name: 'state', chosen: state ?? '', choices: STATES }}
      />
      <section class="card" aria-label="Signatures">
        <Rows count={nodes.length} empty="There is none.">
          {nodes.map((session) => (
            <SessionRow href={`${path}/${session.id}`} session={session} />
          ))}
        </Rows>
        <Pager path={path} filters={{ state: state ?? '' }} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
};

const SessionRow = ({ href, session }: { href: string; session: Session }) => (
  <Row buttons={<Badge {...sessionText(session)} />}>
    <a href={href}>
      <Name of={session.document.name} maxLength={120} />
    </a>
    <p>
      <Signers recipients={session.recipients} />
    </p>
    <p>
      Created <Time at={session.createdAt} />
      {session.state === 'ACTIVE' && session.expiresAt && (
        <>
          , to be signed until <Time at={session.expiresAt} />
        </>
      )}
    </p>
    {session.sealing.state === 'FAILED' && <p>{session.sealing.lastError}</p>}
  </Row>
);

const Signers = ({ recipients: { nodes, pageInfo } }: Pick<Session, 'recipients'>) => (
  <>
    {nodes.length === 0 && 'No signer yet'}
    {nodes.map(({ fullName, state }, index) => (
      <>
        {index > 0 && ', '}
        <Name of={fullName} maxLength={60} /> ({SIGNER_TEXTS[state].text.toLowerCase()})
      </>
    ))}
    {pageInfo.hasNextPage && ', and others'}
  </>
);
