import type { ConsoleStartQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Form } from '../ui/fields.tsx';
import { isManager } from '../ui/frame.tsx';
import { Row, Rows, Time, wordsOf } from '../ui/parts.tsx';
import { membersText, type SummaryOrganization } from './members-text.ts';
import { type Notice, Notices } from './notices.tsx';
import { type Work, WorkView } from './work-view.tsx';

type OwnInvitation = ConsoleStartQuery['viewer']['invitations']['nodes'][number];

interface StartViewProps {
  formToken: string;
  organizations: readonly { organization: SummaryOrganization; notices: readonly Notice[] }[];
  hasMore: boolean;
  work: Work;
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
  work,
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
    {organizations.length > 0 && <WorkView work={work} />}
    {organizations.length > 0 && <h2 class="part">Your organizations</h2>}
    <ul class="tiles">
      {organizations.map(({ organization, notices }) => (
        <li class="card">
          <h3>
            <a href={`/console/${organization.id}`}>
              <Name of={organization.name} maxLength={80} />
            </a>
          </h3>
          <p>
            {wordsOf(organization.viewerRole)}
            {organization.memberCounts && ` · ${membersText(organization.memberCounts)}`}
          </p>
          {isManager(organization) && <Notices notices={notices} />}
        </li>
      ))}
    </ul>
    {hasMore && <p class="after">You are in more organizations: these are the first.</p>}
    <ForPrograms />
  </>
);

/** Where the interfaces for programs are shown. */
const ForPrograms = () => (
  <>
    <h2 class="part">For programs</h2>
    <p>
      <a href="/graphql">GraphiQL</a>: write queries in the browser. <a href="/api/v1/docs">API reference</a>:
      the routes of REST v1. <a href="/docs/client">Client package</a>: with a front end to copy from.{' '}
      <a href="/docs">Documentation</a>: use it, run it, change it.
    </p>
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
