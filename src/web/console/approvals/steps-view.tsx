import type {
  ConsoleApprovalQuery,
  ConsoleApprovalStepFragment,
} from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Row, Rows, Time } from '../ui/parts.tsx';
import { STATE_TEXTS, stateTone } from './approval-row.tsx';

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
        {next.map(({ name, groups, ...step }) => (
          <Row buttons={<Badge text="Not reached" />}>
            <strong>
              <Name of={name} maxLength={80} />
            </strong>
            <p>
              {quorumText(step)}
              {OVERDUE_TEXTS[step.onOverdue]}
              {groups.nodes.length > 0 && (
                <>
                  {' '}
                  Approvers are the members of{' '}
                  {groups.nodes.map((group, index) => (
                    <>
                      {index > 0 && ', '}
                      <Name of={group.name} maxLength={80} />
                    </>
                  ))}
                  , and who is named.
                </>
              )}
            </p>
          </Row>
        ))}
      </ol>
    </section>
  );
};

const OVERDUE_TEXTS = {
  REMIND: '',
  ESCALATE: ' Further people may decide it once it is overdue.',
  DECLINE: ' It is declined once it is overdue.',
} as const;

type Quorum = Pick<ConsoleApprovalStepFragment, 'need' | 'veto' | 'excludeRequester' | 'distinctFromEarlier'>;

/** How many have to approve, whether one denial ends it, and who may not decide it. */
function quorumText({ need, veto, excludeRequester, distinctFromEarlier }: Quorum): string {
  const texts = [
    need === null && 'All approvers have to approve.',
    need !== null && (need === 1 ? 'One approver is enough.' : `${need} approvers have to approve.`),
    !veto && 'One denial does not end it.',
    excludeRequester && 'Not by who requested it.',
    distinctFromEarlier && 'Not by who voted on an earlier step.',
  ];
  return texts.filter(Boolean).join(' ');
}

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
      {quorumText(approval)}
      {approval.dueAt && approval.state === 'PENDING' && (
        <>
          {' '}
          Due <Time at={approval.dueAt} byMinute />
          {approval.overdue && ', which is past'}.
          {!approval.overdue && OVERDUE_TEXTS[approval.step.onOverdue]}
        </>
      )}
    </p>
  </Row>
);

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
          for <Name of={delegatedFrom.name} maxLength={80} />
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
