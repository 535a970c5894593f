import type {
  ApprovalState,
  ConsoleApprovalQuery,
  ConsoleApprovalStepFragment,
} from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Row, Rows, Time } from '../ui/parts.tsx';
import { STATE_TEXTS, stateTone } from './approval-row.tsx';
import { ApproversText, DueText, OverdueText, quorumText } from './step-texts.tsx';

type Approval = NonNullable<ConsoleApprovalQuery['approval']>;

interface StepsProps {
  run: Approval['run'];
  process: Approval['process'];
  /** The approval of the page. */
  approvalId: string;
}

/** The steps that were reached, with who decided what, and those that follow. */
export const StepsView = ({ run, process, approvalId }: StepsProps) => {
  const reached = run.approvals.nodes;
  const reachedSteps = new Set(reached.map(({ step }) => step.id));
  const next = run.state === 'PENDING' ? process.steps.nodes.filter(({ id }) => !reachedSteps.has(id)) : [];
  return (
    <section class="card" aria-labelledby="steps">
      <h2 id="steps">Steps</h2>
      <ol class="rows">
        {reached.map((approval) => (
          <StepRow approval={approval} isCurrent={approval.id === approvalId && reached.length > 1} />
        ))}
        {next.map((step) => (
          <Row buttons={<Badge text="Not reached" />}>
            <strong>
              <Name of={step.name} maxLength={80} />
            </strong>
            <p>
              {quorumText(step)} <ApproversText step={step} />
              <DueText step={step} />
            </p>
          </Row>
        ))}
      </ol>
    </section>
  );
};

const StepRow = ({ approval, isCurrent }: { approval: ConsoleApprovalStepFragment; isCurrent: boolean }) => (
  <Row
    buttons={<Badge text={STATE_TEXTS[approval.state]} tone={stateTone(approval.state)} />}
    more={<Approvers approvers={approval.approvers} />}
  >
    <strong>
      <Name of={approval.step.name} maxLength={80} />
    </strong>
    {isCurrent && ' (this page)'}
    <p>
      {quorumText(approval)} {approval.state === 'PENDING' && votesText(approval.approvers.nodes)}
      {approval.dueAt && approval.state === 'PENDING' && (
        <>
          {' '}
          Due <Time at={approval.dueAt} byMinute />
          {approval.overdue && ', which is past'}.
          <OverdueText step={approval.step} />
        </>
      )}
    </p>
  </Row>
);

/** How the votes stand. */
function votesText(approvers: readonly { state: ApprovalState }[]): string {
  const count = (state: ApprovalState) => approvers.filter((each) => each.state === state).length;
  const texts = [
    `${count('APPROVED')} of ${approvers.length} approved`,
    count('DENIED') > 0 && `${count('DENIED')} denied`,
    count('DECLINED') > 0 && `${count('DECLINED')} declined`,
  ];
  return `So far, ${texts.filter(Boolean).join(', ')}.`;
}

type Approvers = ConsoleApprovalStepFragment['approvers'];

const Approvers = ({ approvers: { nodes, pageInfo } }: { approvers: Approvers }) => (
  <div class="more">
    <Rows count={nodes.length} empty="It has no approver.">
      {nodes.map((approver) => (
        <ApproverRow approver={approver} />
      ))}
    </Rows>
    {pageInfo.hasNextPage && <p>There are more approvers.</p>}
  </div>
);

/** What one approver said. */
const ApproverRow = ({ approver }: { approver: Approvers['nodes'][number] }) => {
  const { user, state, decidedAt, delegatedFrom, comment } = approver;
  return (
    <Row buttons={<Badge text={ANSWERS[state]} tone={stateTone(state)} />}>
      <Name of={user.name} maxLength={80} />
      {delegatedFrom && (
        <>
          {' '}
          in place of <Name of={delegatedFrom.name} maxLength={80} />
        </>
      )}
      {decidedAt && (
        <p>
          <Time at={decidedAt} byMinute />
        </p>
      )}
      {comment && <p class="text">{comment}</p>}
    </Row>
  );
};

const ANSWERS = {
  PENDING: 'No answer yet',
  APPROVED: 'Approved',
  DENIED: 'Denied',
  DECLINED: 'Declined to decide',
  WITHDRAWN: 'Withdrawn',
} as const;
