import type { ApprovalState, ConsoleApprovalLineFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Row, Time } from '../ui/parts.tsx';
import { InPlaceOf } from './votes.tsx';

type ApprovalLine = ConsoleApprovalLineFragment;

interface ApprovalRowProps {
  approval: ApprovalLine;
  /** Whether the list is of those that wait for the viewer. */
  isWaiting?: boolean;
}

/** An approval of a list. */
export const ApprovalRow = ({ approval, isWaiting }: ApprovalRowProps) => (
  <Row buttons={isWaiting && !approval.overdue ? undefined : <ApprovalBadge approval={approval} />}>
    <a href={`/console/${approval.organizationId}/approvals/${approval.id}`}>
      <Name of={approval.item.name} maxLength={120} />
    </a>
    <p>
      {approval.item.kind === 'TASK' ? 'Task' : 'Document'} in{' '}
      <Name of={approval.project.name} maxLength={60} />, requested by{' '}
      <Name of={approval.run.createdBy.name} maxLength={60} /> on <Time at={approval.createdAt} />
      {approval.dueAt && approval.state === 'PENDING' && (
        <>
          , due <Time at={approval.dueAt} />
        </>
      )}
      . Step: <Name of={approval.step.name} maxLength={60} />.
      <InPlaceOf approval={approval} />
    </p>
  </Row>
);

export const STATE_TEXTS: Record<ApprovalState, string> = {
  PENDING: 'Pending',
  APPROVED: 'Approved',
  DENIED: 'Denied',
  DECLINED: 'Not decided',
  WITHDRAWN: 'Withdrawn',
};

export const stateTone = (state: ApprovalState): 'good' | 'bad' | undefined =>
  state === 'APPROVED' ? 'good' : state === 'DENIED' ? 'bad' : undefined;

const ApprovalBadge = ({ approval: { state, overdue, waitsForViewer } }: { approval: ApprovalLine }) => {
  if (overdue) return <Badge text="Overdue" tone="bad" />;
  if (waitsForViewer) return <Badge text="Waits for you" />;
  return <Badge text={STATE_TEXTS[state]} tone={stateTone(state)} />;
};
