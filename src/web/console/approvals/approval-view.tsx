import type { ConsoleApprovalQuery } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Form, TextArea, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Badge, Facts, Time } from '../ui/parts.tsx';
import { mayEdit, mayManage, projectHref } from '../ui/project-tabs.tsx';
import { STATE_TEXTS } from './approval-row.tsx';
import { DelegationForm, type DelegationOptions } from './delegation-form.tsx';
import { StepsView } from './steps-view.tsx';
import { InPlaceOf } from './votes.tsx';

type Approval = NonNullable<ConsoleApprovalQuery['approval']>;

/** What was typed or chosen in the forms of the page. */
export interface EnteredDecision {
  comment?: string;
  withdrawalReason?: string;
  fromUserId?: string;
  toUserId?: string;
  reason?: string;
}

interface ApprovalViewProps {
  path: string;
  formToken: string;
  /** Whom the viewer may hand a vote to; undefined where they may hand over none. */
  delegation?: DelegationOptions;
  approval: Approval;
  viewerId: string;
  error?: FormError;
  entered: EnteredDecision;
}

export const ApprovalView = (props: ApprovalViewProps) => {
  const { approval } = props;
  return (
    <>
      <section class="card" aria-label="What is to be approved">
        <ApprovalFacts approval={approval} />
        {approval.item.description && <p class="text">{approval.item.description}</p>}
        <Ways approval={approval} />
      </section>
      {approval.waitsForViewer && <Decision {...props} />}
      {props.delegation && <DelegationForm {...props} {...props.delegation} />}
      {mayWithdraw(props) && <Withdrawal {...props} />}
      <StepsView {...{ run: approval.run, process: approval.process, approvalId: approval.id }} />
    </>
  );
};

const isOwnRun = ({ approval, viewerId }: ApprovalViewProps): boolean =>
  approval.run.createdBy.id === viewerId;

/** Who started the run, and admins of the project, while it is pending. */
const mayWithdraw = (props: ApprovalViewProps): boolean =>
  props.approval.run.state === 'PENDING' &&
  (isOwnRun(props) ? mayEdit(props.approval.project) : mayManage(props.approval.project));

const ApprovalFacts = ({ approval }: { approval: Approval }) => {
  const { item, project, process, run, state, organizationId } = approval;
  return (
    <Facts
      facts={[
        ['State', state === 'PENDING' ? 'It waits for a decision' : STATE_TEXTS[state]],
        [item.kind === 'TASK' ? 'Task' : 'Document', <Name of={item.name} maxLength={255} />],
        [
          'Project',
          <a href={`/console/${organizationId}/projects/${project.id}`}>
            <Name of={project.name} maxLength={80} />
          </a>,
        ],
        [
          'Process',
          <a href={projectHref({ organizationId, id: project.id }, `processes/${process.id}`)}>
            <Name of={process.name} maxLength={80} />
          </a>,
        ],
        ['Step', <Name of={approval.step.name} maxLength={80} />],
        ...dueOf(approval),
        [
          'Requested',
          <>
            by <Name of={run.createdBy.name} maxLength={80} /> (<bdi>{shownEmail(run.createdBy.email)}</bdi>)
            on <Time at={run.createdAt} byMinute />
          </>,
        ],
      ]}
    />
  );
};

const dueOf = ({ dueAt, overdue, state }: Approval) =>
  dueAt && state === 'PENDING'
    ? [
        [
          'Due',
          <>
            <Time at={dueAt} byMinute /> {overdue && <Badge text="Overdue" tone="bad" />}
          </>,
        ] as const,
      ]
    : [];

/** Links to read it, and to its own page. */
const Ways = ({ approval: { item, project, organizationId } }: { approval: Approval }) => (
  <p class="ways">
    {item.document && (
      <a href={item.document.downloadUrl} target="_blank" rel="noreferrer">
        Read the document
      </a>
    )}{' '}
    <a
      href={`/console/${organizationId}/projects/${project.id}/${item.kind === 'TASK' ? 'tasks' : 'documents'}/${item.itemId}`}
    >
      {item.kind === 'TASK' ? 'Page of the task' : 'Page of the document'}
    </a>
  </p>
);

const Decision = ({ path, formToken, approval, error, entered }: ApprovalViewProps) => (
  <section class="card" aria-labelledby="decision">
    <h2 id="decision">Your decision</h2>
    <p>
      To decline is to withdraw as an approver, without a vote.
      <InPlaceOf approval={approval} />
    </p>
    <Form action={path} formToken={formToken}>
      <TextArea
        {...{ name: 'comment', label: 'Comment (optional)', error, value: entered.comment, optional: true }}
      />
      <div class="buttons">
        <button type="submit" name="decision" value="approve">
          Approve
        </button>
        <button type="submit" name="decision" value="deny" class="danger">
          Deny
        </button>
        <button type="submit" name="decision" value="decline" class="plain">
          Decline to decide
        </button>
      </div>
    </Form>
  </section>
);

const Withdrawal = (props: ApprovalViewProps) => (
  <section class="card" aria-labelledby="withdrawal">
    <h2 id="withdrawal">{isOwnRun(props) ? 'Your request' : 'Take the request back'}</h2>
    <p>
      {isOwnRun(props) ? 'You started this process.' : 'As an admin of the project you may end this process.'}{' '}
      If you withdraw it, nobody has to decide it any more.
    </p>
    <Form action={props.path} formToken={props.formToken}>
      <TextInput
        {...{ name: 'reason', label: 'Reason (optional)', error: props.error, optional: true }}
        value={props.entered.withdrawalReason}
      />
      <div class="buttons">
        <button type="submit" name="decision" value="withdraw" class="danger">
          Withdraw
        </button>
      </div>
    </Form>
  </section>
);
