import type { ConsoleForeignApplicationQuery } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Confirmation, Form } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Facts, Pager, Row, Rows, Time, wordsOf } from '../ui/parts.tsx';
import { scopeText } from '../ui/scopes.ts';
import { StateBadge } from './view.tsx';

type ForeignApp = NonNullable<NonNullable<ConsoleForeignApplicationQuery['organization']>['application']>;

interface ForeignAppViewProps {
  path: string;
  formToken: string;
  app: ForeignApp;
  policy: string;
  after: string | undefined;
  error?: FormError;
}

export const ForeignAppView = (props: ForeignAppViewProps) => (
  <>
    <AppFacts {...props} />
    <DecisionForm {...props} />
    <Users {...props} />
    {props.app.people > 0 && <RevokeForm {...props} />}
  </>
);

const AppFacts = ({ app, policy }: ForeignAppViewProps) => (
  <section class="card" aria-label="Facts">
    <Facts
      facts={[
        ['Of', <Name of={app.publisher} maxLength={80} />],
        ['client_id', <code>{app.clientId}</code>],
        ['Here', <StateBadge app={app} />],
        ['Policy', wordsOf(policy)],
        ...(app.requestedAt
          ? [['Asked for', <By at={app.requestedAt} name={app.requestedBy?.name} />] as const]
          : []),
        ...(app.decision && app.decidedAt
          ? [[wordsOf(app.decision), <By at={app.decidedAt} name={app.decidedBy?.name} />] as const]
          : []),
        ...(app.revokedAt ? [['Revoked for all', <Time at={app.revokedAt} byMinute />] as const] : []),
        ['Members let it', app.scopes.map(scopeText).join(', ') || 'Nothing'],
        ['Last used', app.lastUsedAt ? <Time at={app.lastUsedAt} byMinute /> : 'Not yet'],
      ]}
    />
  </section>
);

const By = ({ at, name }: { at: string; name: string | undefined }) => (
  <>
    <Time at={at} byMinute />
    {name && (
      <>
        {' '}
        by <Name of={name} maxLength={80} />
      </>
    )}
  </>
);

const DecisionForm = ({ app, path, formToken }: ForeignAppViewProps) => (
  <section class="card" aria-labelledby="decide">
    <h2 id="decide">Decide</h2>
    <p>
      A refused application may not act here, whatever the policy is. An approved one may, unless the policy
      is none. It takes effect at its next request.
    </p>
    <Form action={path} formToken={formToken} class="inline">
      {app.decision !== 'APPROVED' && (
        <button type="submit" name="decision" value="APPROVED">
          Approve
        </button>
      )}
      {app.decision !== 'REFUSED' && (
        <button type="submit" name="decision" value="REFUSED" class="danger">
          Refuse
        </button>
      )}
      {app.decision && (
        <button type="submit" name="decision" value="" class="plain">
          Take the decision back
        </button>
      )}
    </Form>
  </section>
);

const Users = ({ app: { users }, path, after }: ForeignAppViewProps) => (
  <section class="card" aria-labelledby="users">
    <h2 id="users">Members who allow it</h2>
    <Rows count={users.nodes.length} empty="No member allows it.">
      {users.nodes.map(({ user, scopes, createdAt, lastUsedAt }) => (
        <Row>
          <Name of={user.name} maxLength={80} /> ({shownEmail(user.email)})
          <p>
            {scopes.map(scopeText).join(', ')}, since <Time at={createdAt} />
            {lastUsedAt && (
              <>
                , last used <Time at={lastUsedAt} byMinute />
              </>
            )}
          </p>
        </Row>
      ))}
    </Rows>
    <Pager path={path} after={after} pageInfo={users.pageInfo} />
  </section>
);

const RevokeForm = ({ app: { people }, path, formToken, error }: ForeignAppViewProps) => (
  <section class="card" aria-labelledby="revoke">
    <h2 id="revoke">Revoke for all members</h2>
    <p>
      Its tokens lose this organization at once, and its webhooks stop. Members may allow it anew, unless you
      refuse it. What they allow it in other organizations stays.
    </p>
    <Form action={`${path}/revoke`} formToken={formToken}>
      <Confirmation
        text={people === 1 ? 'End what 1 member allows it' : `End what ${people} members allow it`}
        error={error}
      />
      <button type="submit" class="danger">
        Revoke
      </button>
    </Form>
  </section>
);
