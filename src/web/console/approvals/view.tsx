import type {
  ConsoleApprovalsQuery,
  ConsoleOwnApprovalsQuery,
} from '../../../generated/operations/graphql.ts';
import { chosenOf, Filters, Pager, Rows } from '../ui/parts.tsx';
import { ApprovalRow } from './approval-row.tsx';

interface OwnApprovalsProps {
  path: string;
  approvals: ConsoleOwnApprovalsQuery['viewer']['approvals'];
  after: string | undefined;
}

/** The approvals that wait for the viewer, of all organizations. */
export const OwnApprovalsView = ({ path, approvals: { nodes, pageInfo }, after }: OwnApprovalsProps) => (
  <>
    <p class="lead">They wait for your decision, the oldest first.</p>
    <section class="card" aria-label="Approvals">
      <Rows count={nodes.length} empty="No approval waits for you.">
        {nodes.map((approval) => (
          <ApprovalRow approval={approval} isWaiting />
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
  </>
);

const PARTS = [
  { value: 'waiting', text: 'Waiting for you', empty: 'No approval waits for you here.' },
  { value: 'requested', text: 'Requested by you', empty: 'You have requested no approval.' },
  { value: 'pending', text: 'Pending', empty: 'No approval is pending.' },
  { value: 'approved', text: 'Approved', empty: 'Nothing was approved.' },
  { value: 'denied', text: 'Denied', empty: 'Nothing was denied.' },
  { value: 'declined', text: 'Not decided', empty: 'There is no approval that all approvers declined.' },
  { value: 'all', text: 'All', empty: 'You see no approval here.' },
] as const;

/** Which approvals of an organization the page lists. */
export type Part = (typeof PARTS)[number]['value'];

export const chosenPart = (value: string | undefined): Part => chosenOf(PARTS, value).value;

interface ApprovalsProps {
  path: string;
  approvals: NonNullable<ConsoleApprovalsQuery['organization']>['approvals'];
  part: Part;
  after: string | undefined;
}

export const ApprovalsView = ({ path, approvals: { nodes, pageInfo }, part, after }: ApprovalsProps) => (
  <>
    <Filters label="Which approvals" path={path} name="show" chosen={part} choices={PARTS} />
    <section class="card" aria-label="Approvals">
      <Rows count={nodes.length} empty={PARTS.find(({ value }) => value === part)?.empty ?? ''}>
        {nodes.map((approval) => (
          <ApprovalRow approval={approval} isWaiting={part === 'waiting'} />
        ))}
      </Rows>
      <Pager path={path} filters={{ show: part }} after={after} pageInfo={pageInfo} />
    </section>
  </>
);
