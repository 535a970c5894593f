import type { ConsoleAccessQuery, ConsoleForeignAppFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { type Choice, Choices, Form } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Badge, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { scopeText } from '../ui/scopes.ts';

interface AccessViewProps {
  path: string;
  formToken: string;
  organization: NonNullable<ConsoleAccessQuery['organization']>;
  after: string | undefined;
  /** Whether only those that wait for a decision are shown. */
  isWaiting: boolean;
  error?: FormError;
}

const POLICIES: readonly Choice[] = [
  { value: 'OPEN', text: 'Open', hint: 'Members choose; those that you refuse are left out.' },
  {
    value: 'APPROVED_ONLY',
    text: 'Approved only',
    hint: 'Only applications that you approve. Members can ask you for others.',
  },
  { value: 'NONE', text: 'None', hint: 'No application of another organization, approved or not.' },
];

export const AccessView = ({ path, organization, after, isWaiting, ...form }: AccessViewProps) => {
  const { nodes, pageInfo } = organization.applications;
  return (
    <>
      <p class="lead">
        Applications of other organizations act for members who allow them, with at most the rights of the
        member. Your own applications are not concerned.
      </p>
      <PolicyForm path={path} policy={organization.applicationPolicy} {...form} />
      <section class="card" aria-labelledby="applications">
        <h2 id="applications">{isWaiting ? 'Waiting for a decision' : 'Used, asked for or decided about'}</h2>
        <p>
          {isWaiting ? (
            <a href={path}>All applications</a>
          ) : (
            <a href={`${path}?waiting=yes`}>Waiting for a decision</a>
          )}
        </p>
        <Rows
          count={nodes.length}
          empty={isWaiting ? 'Nobody waits.' : 'Members use no application of others.'}
        >
          {nodes.map((app) => (
            <Row buttons={<StateBadge app={app} />}>
              <a href={`${path}/${app.clientId}`}>
                <Name of={app.name} maxLength={80} />
              </a>{' '}
              of <Name of={app.publisher} maxLength={80} />
              <p>{usageOf(app)}</p>
            </Row>
          ))}
        </Rows>
        <Pager path={path} filters={isWaiting ? { waiting: 'yes' } : {}} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
};

interface PolicyFormProps {
  path: string;
  formToken: string;
  policy: string;
  error?: FormError;
}

const PolicyForm = ({ path, formToken, policy, error }: PolicyFormProps) => (
  <section class="card" aria-labelledby="policy">
    <h2 id="policy">Which may act here</h2>
    <Form action={path} formToken={formToken}>
      <Choices
        {...{ name: 'applicationPolicy', label: 'Applications of other organizations', error, one: true }}
        hint="A change takes effect at the next request of each application."
        choices={POLICIES}
        chosen={[policy]}
      />
      <button type="submit">Save</button>
    </Form>
  </section>
);

const isWaitingApp = ({ requestedAt, decision }: ConsoleForeignAppFragment): boolean =>
  requestedAt !== null && decision === null;

export const StateBadge = ({ app }: { app: ConsoleForeignAppFragment }) => {
  if (isWaitingApp(app)) return <Badge text="Asked for" />;
  return app.isAllowed ? <Badge text="Allowed" tone="good" /> : <Badge text="Not allowed" tone="bad" />;
};

const usageOf = ({ people, scopes, lastUsedAt }: ConsoleForeignAppFragment) => (
  <>
    {people === 0 && 'No member lets it act. '}
    {people > 0 &&
      `${people === 1 ? '1 member lets' : `${people} members let`} it: ${scopes.map(scopeText).join(', ')}. `}
    {lastUsedAt && (
      <>
        Last used <Time at={lastUsedAt} byMinute />.
      </>
    )}
  </>
);
