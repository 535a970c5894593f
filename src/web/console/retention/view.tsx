import type { ConsoleRetentionQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { sizeText } from '../documents/kind-text.ts';
import { Form } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { isManager } from '../ui/frame.tsx';
import { numberText } from '../ui/numbers.ts';
import { Badge, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';
import type { EnteredPolicy } from './entered.ts';
import { RuleFields } from './rule-fields.tsx';
import { ruleWords, scopeWords } from './texts.ts';

type Organization = NonNullable<ConsoleRetentionQuery['organization']>;

interface RetentionViewProps {
  visit: Visit;
  organization: Organization;
  after: string | undefined;
  entered: EnteredPolicy;
  error?: FormError;
}

export const RetentionView = (props: RetentionViewProps) => (
  <>
    <p class="lead">
      A policy says how long documents are kept at least, and what becomes of them then. Nobody can purge what
      a policy keeps. Of several the one with the latest end decides; a legal hold is above all.
    </p>
    <Policies {...props} />
    {isManager(props.organization) && (
      <>
        <NewPolicy {...props} />
        <Disposals {...props} />
      </>
    )}
  </>
);

const Policies = ({ organization: { id, retentionPolicies } }: RetentionViewProps) => (
  <section class="card" aria-labelledby="policies">
    <h2 id="policies">Policies</h2>
    <Rows
      count={retentionPolicies.nodes.length}
      empty="There is no policy: documents are kept until people purge them."
    >
      {retentionPolicies.nodes.map((policy) => (
        <Row buttons={policy.lockedAt && <Badge text="Locked" />}>
          <a href={`/console/${id}/retention/${policy.id}`}>
            <Name of={policy.name} maxLength={80} />
          </a>
          <p>
            <bdi>{ruleWords(policy)}</bdi>
          </p>
          <p class="hint">
            <Assigned {...policy.assignments} />
          </p>
        </Row>
      ))}
    </Rows>
  </section>
);

const Assigned = ({ nodes, pageInfo }: Organization['retentionPolicies']['nodes'][number]['assignments']) =>
  nodes.length === 0 ? (
    <>It is assigned to nothing, and keeps nothing.</>
  ) : (
    <>
      <bdi>{nodes.map(scopeWords).join('; ')}</bdi>
      {pageInfo.hasNextPage && '; and more'}
    </>
  );

const NewPolicy = ({ visit, organization, entered, error }: RetentionViewProps) => (
  <section class="card" aria-labelledby="new-policy">
    <h2 id="new-policy">New policy</h2>
    <Form action={`/console/${organization.id}/retention`} formToken={visit.formToken}>
      <RuleFields entered={entered} error={error} groups={organization.groups.nodes} isNew />
      <p class="hint">It keeps nothing before it is assigned, on its page.</p>
      <button type="submit">Create</button>
    </Form>
  </section>
);

const Disposals = ({ organization: { id, disposals }, after }: RetentionViewProps) => (
  <section class="card" aria-labelledby="disposals">
    <h2 id="disposals">Disposals</h2>
    <Rows count={disposals.nodes.length} empty="No policy has disposed of anything.">
      {disposals.nodes.map((disposal) => (
        <Row
          buttons={
            <>
              <a
                class="button small plain"
                href={`/console/${id}/retention/disposals/${disposal.id}`}
                download
              >
                Certificate
              </a>
              <a
                class="button small plain"
                href={`/console/${id}/retention/disposals/${disposal.id}?part=seal`}
                download
              >
                Its seal
              </a>
            </>
          }
        >
          <strong>
            {numberText(disposal.documentCount)} {disposal.documentCount === 1 ? 'document' : 'documents'}
          </strong>
          <p>
            <Name of={disposal.policyName} maxLength={80} />, <Time at={disposal.createdAt} byMinute />,{' '}
            {sizeText(disposal.bytesFreed)} freed
          </p>
        </Row>
      ))}
    </Rows>
    <Pager path={`/console/${id}/retention`} after={after} pageInfo={disposals.pageInfo} anchor="disposals" />
  </section>
);
