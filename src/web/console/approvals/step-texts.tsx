import type {
  ConsoleApprovalStepFragment,
  ConsoleStepFragment,
  ConsoleStepOverdueFragment,
} from '../../../generated/operations/graphql.ts';
import { Names } from '../ui/names.tsx';

type Quorum = Pick<ConsoleApprovalStepFragment, 'need' | 'veto' | 'excludeRequester' | 'distinctFromEarlier'>;

/** How many have to approve, whether one denial ends it, and who may not decide it. */
export function quorumText({ need, veto, excludeRequester, distinctFromEarlier }: Quorum): string {
  const texts = [
    need === null && 'All approvers have to approve.',
    need !== null && (need === 1 ? 'One approver is enough.' : `${need} approvers have to approve.`),
    veto ? 'One denial denies it.' : 'One denial does not end it.',
    excludeRequester && 'Not by who requested it.',
    distinctFromEarlier && 'Not by who voted on an earlier step.',
  ];
  return texts.filter(Boolean).join(' ');
}

interface Named {
  name: string;
}

/** Named people, the members of groups, or both; the beginning of a sentence. */
const PeopleAndGroups = ({ people, groups }: { people: readonly Named[]; groups: readonly Named[] }) => (
  <>
    <Names of={people} maxLength={60} />
    {people.length > 0 && groups.length > 0 && ', and '}
    {groups.length > 0 && (
      <>
        {people.length > 0 ? 'the' : 'The'} members of <Names of={groups} maxLength={60} />
      </>
    )}
  </>
);

/** Whom a step names as its approvers. */
export const ApproversText = ({ step }: { step: ConsoleStepFragment }) => (
  <>
    Approvers: <PeopleAndGroups people={step.approvers.nodes} groups={step.groups.nodes} />.
  </>
);

const daysText = (days: number): string => (days === 1 ? 'a day' : `${days} days`);

/** What happens once a step is overdue, if anything but a reminder. */
export const OverdueText = ({ step }: { step: ConsoleStepOverdueFragment }) => {
  const { onOverdue, escalateTo, escalateToGroup } = step;
  if (onOverdue === 'DECLINE') return <> Once it is overdue, it is declined, and the process ends.</>;
  if (onOverdue === 'REMIND') return <> Once it is overdue, its approvers are reminded.</>;
  return (
    <>
      {' '}
      Once it is overdue, these may decide it too:{' '}
      <PeopleAndGroups people={escalateTo.nodes} groups={escalateToGroup ? [escalateToGroup] : []} />.
    </>
  );
};

/** Until when a step has to be decided, and what happens then; nothing where it is never overdue. */
export const DueText = ({ step }: { step: ConsoleStepOverdueFragment }) =>
  step.dueAfterDays === null ? null : (
    <>
      {' '}
      Due {daysText(step.dueAfterDays)} after its request.
      <OverdueText step={step} />
    </>
  );
