import type { ConsoleRunFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Row, Time } from '../ui/parts.tsx';
import { STATE_TEXTS, stateTone } from './approval-row.tsx';

interface RunRowProps {
  run: ConsoleRunFragment;
  organizationId: string;
  /** Whether the page is about the process, and not about what it runs on. */
  isOfProcess?: boolean;
}

/** A run, with a link to the approval that is pending, or else to the last one. */
export const RunRow = ({ run, organizationId, isOfProcess }: RunRowProps) => {
  const approvals = run.approvals.nodes;
  const shown = approvals.find(({ state }) => state === 'PENDING') ?? approvals.at(-1);
  return (
    <Row buttons={<Badge text={STATE_TEXTS[run.state]} tone={stateTone(run.state)} />}>
      <a href={`/console/${organizationId}/approvals/${shown?.id}`}>
        <Name of={isOfProcess ? run.item.name : run.process.name} maxLength={120} />
      </a>
      <p>
        Started by <Name of={run.createdBy.name} maxLength={60} /> on <Time at={run.createdAt} />
      </p>
    </Row>
  );
};
