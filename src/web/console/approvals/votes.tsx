import type { ConsoleVotesFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';

/** The pending vote of the viewer, who is the pending approver of what waits for them; undefined without one. */
export const ownVoteOf = ({ waitsForViewer, pendingApprover, approvers }: ConsoleVotesFragment) =>
  waitsForViewer ? approvers.nodes.find(({ user }) => user.id === pendingApprover?.id) : undefined;

/** In whose place the viewer decides: of who delegated the vote, or whose substitute they are. Nothing where it is their own. */
export const InPlaceOf = ({ approval }: { approval: ConsoleVotesFragment }) => {
  const delegatedFrom = ownVoteOf(approval)?.delegatedFrom;
  if (!delegatedFrom) return null;
  return (
    <>
      {' '}
      You decide in place of <Name of={delegatedFrom.name} maxLength={60} />.
    </>
  );
};
