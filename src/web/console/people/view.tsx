import type {
  ConsoleInvitationFragment,
  ConsoleMemberFragment,
  ConsolePeopleQuery,
} from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { deliveryText } from '../ui/delivery.ts';
import { type Choice, Form, Select, TextArea, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { isManager } from '../ui/frame.tsx';
import { Badge, Copied, Pager, Row, Rows, Time, wordsOf } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';
import { ROLE_HINT, rolesFor } from './roles.ts';

type People = NonNullable<ConsolePeopleQuery['organization']>;

interface PeopleViewProps {
  visit: Visit;
  organization: People;
  search: string;
  /** Which members, by their second factor: `with`, `without` or all. */
  factor: string;
  after: string | undefined;
  error?: FormError;
  /** What was typed into the form for invitations. */
  entered?: { email: string; role: string };
}

export const PeopleView = (props: PeopleViewProps) => {
  const { organization } = props;
  const { memberCounts } = organization;
  return (
    <>
      {memberCounts && (
        <p class="lead">
          {memberCounts.writing} who may write, {memberCounts.readOnly} who only read.
        </p>
      )}
      <Members {...props} />
      {isManager(organization) && (
        <>
          <InviteForm {...props} />
          <Invitations {...props} />
        </>
      )}
    </>
  );
};

const pathOf = ({ id }: People): string => `/console/${id}/people`;

const Members = ({ visit, organization, search, factor, after }: PeopleViewProps) => {
  const { nodes, pageInfo } = organization.members;
  const path = pathOf(organization);
  return (
    <section class="card" aria-labelledby="members">
      <h2 id="members">Members</h2>
      <form class="inline" method="get" action={path}>
        <TextInput
          name="search"
          label="Beginning of a name or address"
          type="search"
          value={search}
          optional
        />
        {isManager(organization) && (
          <Select name="factor" label="Second factor" choices={FACTORS} value={factor} />
        )}
        <button type="submit" class="plain small">
          Find
        </button>
      </form>
      <Rows count={nodes.length} empty="There is nobody like that.">
        {nodes.map(({ id, role, clientId, hasSecondFactor, createdAt, user }) => (
          <Row buttons={<MemberBadges {...{ role, clientId, hasSecondFactor }} />}>
            <MemberName
              name={user.name}
              href={isManager(organization) || user.id === visit.viewer.userId ? `${path}/${id}` : undefined}
            />
            {user.id === visit.viewer.userId && ' (you)'}
            <p>
              <bdi>{shownEmail(user.email)}</bdi>, since <Time at={createdAt} />
            </p>
          </Row>
        ))}
      </Rows>
      <Pager path={path} filters={{ search, factor }} after={after} pageInfo={pageInfo} />
    </section>
  );
};

const FACTORS: readonly Choice[] = [
  { value: '', text: 'All' },
  { value: 'with', text: 'With one' },
  { value: 'without', text: 'Without' },
];

/** Null: the viewer may not know it. */
const MemberBadges = ({
  role,
  clientId,
  hasSecondFactor,
}: Pick<ConsoleMemberFragment, 'role' | 'clientId' | 'hasSecondFactor'>) => (
  <>
    {clientId && <Badge text="Service account" />}
    {hasSecondFactor === false && !clientId && <Badge text="No second factor" tone="bad" />}
    <Badge text={wordsOf(role)} />
  </>
);

const MemberName = ({ name, href }: { name: string; href?: string }) =>
  href ? (
    <a href={href}>
      <Name of={name} maxLength={80} />
    </a>
  ) : (
    <Name of={name} maxLength={80} />
  );

const InviteForm = ({ visit, organization, error, entered }: PeopleViewProps) => (
  <section class="card" aria-labelledby="invite">
    <h2 id="invite">Invite people</h2>
    <Form action={`${pathOf(organization)}/invite`} formToken={visit.formToken}>
      <TextArea
        {...{ name: 'email', label: 'E-mail addresses', error, value: entered?.email }}
        hint="One on each line, or separated by commas."
      />
      <Select
        {...{ name: 'role', label: 'Role', error, hint: ROLE_HINT }}
        choices={rolesFor(organization.viewerRole)}
        value={entered?.role ?? 'MEMBER'}
      />
      <button type="submit">Invite</button>
    </Form>
  </section>
);

const Invitations = ({ visit, organization }: PeopleViewProps) => (
  <section class="card" aria-labelledby="invitations">
    <h2 id="invitations">Open invitations</h2>
    <Rows count={organization.invitations.nodes.length} empty="No invitation is open.">
      {organization.invitations.nodes.map((invitation) => (
        <InvitationRow
          invitation={invitation}
          action={`${pathOf(organization)}/invitations`}
          formToken={visit.formToken}
        />
      ))}
    </Rows>
  </section>
);

interface InvitationRowProps {
  invitation: ConsoleInvitationFragment;
  action: string;
  formToken: string;
}

const InvitationRow = ({ invitation, action, formToken }: InvitationRowProps) => {
  const { id, email, role, sentAt, expiresAt, isExpired, url, delivery } = invitation;
  const { text, tone } = deliveryText(delivery);
  return (
    <Row
      buttons={<InvitationButtons {...{ invitation, action, formToken }} />}
      more={
        url && (
          <details>
            <summary>Link to pass on by hand</summary>
            <p>It does not prove the address: who has no account needs the link in the mail.</p>
            <Copied id={`url-${id}`} text={url} />
          </details>
        )
      }
    >
      <strong id={id}>
        <bdi>{shownEmail(email)}</bdi>
      </strong>{' '}
      <Badge text={wordsOf(role)} />
      {isExpired && (
        <>
          {' '}
          <Badge text="Expired" tone="bad" />
        </>
      )}
      <p>
        Sent <Time at={sentAt} byMinute /> by <Name of={invitation.invitedBy.name} maxLength={80} />, valid
        until <Time at={expiresAt} />
      </p>
      <p>
        <Badge text={text} tone={tone} />
        {delivery?.answer && <> {delivery.answer}</>}
      </p>
    </Row>
  );
};

const InvitationButtons = ({ invitation: { id, resendsLeft }, action, formToken }: InvitationRowProps) => (
  <Form action={action} formToken={formToken} class="inline">
    <input type="hidden" name="invitation" value={id} />
    {resendsLeft > 0 && (
      <button type="submit" name="do" value="resend" class="small plain" aria-describedby={id}>
        Send again
      </button>
    )}
    <button type="submit" name="do" value="withdraw" class="small danger" aria-describedby={id}>
      Withdraw
    </button>
  </Form>
);
