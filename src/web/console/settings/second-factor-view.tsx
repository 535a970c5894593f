import type { ConsoleSettingsFragment } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Confirmation, Form } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Badge, Row, Rows, wordsOf } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';
import { WithoutFactor } from './view.tsx';

interface RuleViewProps {
  visit: Visit;
  organization: ConsoleSettingsFragment;
  error?: FormError;
}

export const SecondFactorRuleView = (props: RuleViewProps) => {
  const { viewerRole, requiresSecondFactor, viewerMembership } = props.organization;
  if (viewerRole !== 'OWNER') return <p class="lead">Only owners change this.</p>;
  if (requiresSecondFactor) return <StopForm {...props} />;
  return (
    <>
      <People {...props} />
      <WhatStops />
      {viewerMembership?.hasSecondFactor ? <StartForm {...props} /> : <OwnFactorFirst />}
    </>
  );
};

const People = ({ organization }: RuleViewProps) => {
  const { nodes, totalCount } = organization.withoutFactor;
  return (
    <section class="card" aria-labelledby="without">
      <h2 id="without">Who has no second factor</h2>
      <Rows count={nodes.length} empty="All members have one: nothing changes for them.">
        {nodes.map(({ role, user }) => (
          <Row buttons={<Badge text={wordsOf(role)} />}>
            <Name of={user.name} maxLength={80} />
            <p>
              <bdi>{shownEmail(user.email)}</bdi>
            </p>
          </Row>
        ))}
      </Rows>
      {(totalCount ?? 0) > nodes.length && <WithoutFactor organization={organization} />}
    </section>
  );
};

const WhatStops = () => (
  <section class="card" aria-labelledby="stops">
    <h2 id="stops">What stops</h2>
    <p>
      A member without a second factor cannot use this organization in the browser any more, until they add
      one. Their API keys, webhooks and the applications that they have allowed go on; those from now on do
      not reach this organization before they have a second factor. Nothing is deleted, and each member gets a
      mail that says what to do.
    </p>
  </section>
);

const OwnFactorFirst = () => (
  <section class="card" aria-labelledby="own-factor">
    <h2 id="own-factor">Add a second factor to your own account first</h2>
    <p>You would lose this organization yourself. A passkey, or an app that shows codes, takes a minute.</p>
    <a class="button" href="/account/second-factors">
      Add a second factor
    </a>
  </section>
);

interface RuleFormProps extends RuleViewProps {
  required: 'yes' | 'no';
  confirmation: string;
  button: string;
}

const RuleForm = ({ visit, organization, error, required, confirmation, button }: RuleFormProps) => (
  <Form action={`/console/${organization.id}/settings/second-factor`} formToken={visit.formToken}>
    <input type="hidden" name="required" value={required} />
    <Confirmation text={confirmation} error={error} />
    <button type="submit" class="danger">
      {button}
    </button>
  </Form>
);

const StartForm = (props: RuleViewProps) => (
  <section class="card danger" aria-labelledby="require">
    <h2 id="require">Require it from now on</h2>
    <RuleForm
      {...{ ...props, required: 'yes', button: 'Require a second factor' }}
      confirmation="Members without a second factor shall not use the organization until they add one"
    />
  </section>
);

const StopForm = (props: RuleViewProps) => (
  <section class="card danger" aria-labelledby="stop">
    <h2 id="stop">Stop requiring it</h2>
    <p>
      A password alone opens the organization again for members without a second factor, and every API key and
      application of theirs acts in it.
    </p>
    <RuleForm
      {...{ ...props, required: 'no', button: 'Stop requiring a second factor' }}
      confirmation="Members shall need no second factor"
    />
  </section>
);
