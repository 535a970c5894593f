import type { ConsoleStartQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Form } from '../ui/fields.tsx';
import { isManager, type PageOrganization } from '../ui/frame.tsx';
import { Row, Rows, Time, wordsOf } from '../ui/parts.tsx';

/** So many of something to look at, and where. */
export interface Notice {
  href: string;
  count: number;
  /** Whether there are more than were counted. */
  more?: boolean;
  of: string;
  plural?: string;
  /** Whether something is wrong. */
  bad?: boolean;
}

type SummaryOrganization = PageOrganization & { memberCounts: { writing: number; readOnly: number } | null };
type OwnInvitation = ConsoleStartQuery['viewer']['invitations']['nodes'][number];

interface StartViewProps {
  formToken: string;
  organizations: readonly { organization: SummaryOrganization; notices: readonly Notice[] }[];
  hasMore: boolean;
  /** What concerns the viewer alone. */
  own: readonly Notice[];
  invitations: readonly OwnInvitation[];
  /** Names of organizations that need a second factor, which the viewer lacks. */
  closed: readonly string[];
}

export const StartView = ({
  formToken,
  organizations,
  hasMore,
  own,
  invitations,
  closed,
}: StartViewProps) => (
  <>
    {closed.length > 0 && <ClosedOrganizations names={closed} />}
    {own.length > 0 && (
      <section class="card" aria-labelledby="own">
        <h2 id="own">For you</h2>
        <Notices notices={own} />
      </section>
    )}
    {invitations.length > 0 && (
      <section class="card" aria-labelledby="invited">
        <h2 id="invited">You are invited</h2>
        <Rows count={invitations.length} empty="">
          {invitations.map((invitation) => (
            <InvitationRow {...{ formToken, invitation }} />
          ))}
        </Rows>
      </section>
    )}
    {organizations.length === 0 && closed.length === 0 && (
      <p class="lead">You are in no organization yet. An invitation comes by mail.</p>
    )}
    <ul class="tiles">
      {organizations.map(({ organization, notices }) => (
        <li class="card">
          <h2>
            <a href={`/console/${organization.id}`}>
              <Name of={organization.name} maxLength={80} />
            </a>
          </h2>
          <p>
            {wordsOf(organization.viewerRole)}
            {organization.memberCounts && ` · ${membersText(organization.memberCounts)}`}
          </p>
          {isManager(organization) && <Notices notices={notices} />}
        </li>
      ))}
    </ul>
    {hasMore && <p class="after">You are in more organizations: these are the first.</p>}
  </>
);

/** Leads members to the second factor that their organizations require. */
const ClosedOrganizations = ({ names }: { names: readonly string[] }) => (
  <section class="card danger" aria-labelledby="closed">
    <h2 id="closed">Add a second factor to your account</h2>
    <p>You cannot use these organizations until you do, as they require it of all members:</p>
    <ul>
      {names.map((name) => (
        <li>
          <Name of={name} maxLength={80} />
        </li>
      ))}
    </ul>
    <a class="button" href="/account/second-factors">
      Add a second factor
    </a>
  </section>
);

const membersText = ({ writing, readOnly }: { writing: number; readOnly: number }): string => {
  const members = writing + readOnly;
  return members === 1 ? '1 member' : `${members} members`;
};

const Notices = ({ notices }: { notices: readonly Notice[] }) =>
  notices.length === 0 ? (
    <p>Nothing asks for action.</p>
  ) : (
    <ul>
      {notices.map(({ href, count, more, of, plural, bad }) => (
        <li class={bad ? 'bad' : undefined}>
          <a href={href}>
            {count}
            {more && '+'} {count === 1 ? of : (plural ?? `${of}s`)}
          </a>
        </li>
      ))}
    </ul>
  );

const InvitationRow = ({ formToken, invitation }: { formToken: string; invitation: OwnInvitation }) => (
  <Row
    buttons={
      <Form action="/console" formToken={formToken} class="inline">
        <input type="hidden" name="invitation" value={invitation.id} />
        <button type="submit" name="answer" value="accept" class="small" aria-describedby={invitation.id}>
          Accept
        </button>
        <button
          type="submit"
          name="answer"
          value="decline"
          class="small plain"
          aria-describedby={invitation.id}
        >
          Decline
        </button>
      </Form>
    }
  >
    <strong id={invitation.id}>
      <Name of={invitation.organizationName} maxLength={80} />
    </strong>
    <p>
      By <Name of={invitation.invitedBy.name} maxLength={80} />, as {wordsOf(invitation.role).toLowerCase()},
      until <Time at={invitation.expiresAt} />
    </p>
  </Row>
);

/** The first page of an organization. */
export const OverviewView = ({
  organization,
  notices,
}: {
  organization: SummaryOrganization;
  notices: readonly Notice[];
}) => (
  <>
    <p class="lead">
      You are {wordsOf(organization.viewerRole).toLowerCase()} here.
      {organization.memberCounts && ` It has ${membersText(organization.memberCounts)}.`} Its id:{' '}
      <code>{organization.id}</code>
    </p>
    {isManager(organization) && (
      <section class="card" aria-labelledby="notices">
        <h2 id="notices">What asks for action</h2>
        <Notices notices={notices} />
      </section>
    )}
    <ul class="tiles">
      {SECTIONS.filter(([, , , forManagers]) => !forManagers || isManager(organization)).map(
        ([path, title, about]) => (
          <li class="card">
            <h2>
              <a href={`/console/${organization.id}/${path}`}>{title}</a>
            </h2>
            <p>{about}</p>
          </li>
        ),
      )}
    </ul>
  </>
);

const SECTIONS = [
  ['people', 'People', 'Who belongs to it, and who is invited.', false],
  ['projects', 'Projects', 'Who takes part in which project.', false],
  [
    'apps',
    'Applications',
    'Applications of the organization: secrets, redirect addresses, requests to copy.',
    false,
  ],
  [
    'access',
    'Applications of others',
    'Which applications of other organizations members use, and which may act here.',
    true,
  ],
  ['webhooks', 'Webhooks', 'Events sent to addresses: deliveries, answers, sending again.', true],
  ['security', 'Security events', 'Who changed who can get in, and how.', true],
  ['log', 'Log', 'What happened, by whom; as a file too.', false],
] as const;
