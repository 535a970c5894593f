import { Name, shownName } from '../../ui/name.tsx';
import { Form, Select, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { PeopleField } from '../ui/people-field.tsx';
import type { Offer } from '../ui/people-offer.ts';

interface Voter {
  id: string;
  name: string;
}

export interface DelegationOptions {
  /** Whose votes may be handed over, the viewer's own first. */
  voters: readonly [Voter, ...Voter[]];
  offer: Offer;
  /** Whether the form was used, and stays open. */
  isOpen: boolean;
}

interface DelegationFormProps extends DelegationOptions {
  path: string;
  formToken: string;
  viewerId: string;
  error?: FormError;
  entered: { fromUserId?: string; toUserId?: string; reason?: string };
}

/** Hands a vote to another editor of the project: one's own, or as an admin that of somebody else. */
export const DelegationForm = ({
  path,
  formToken,
  viewerId,
  voters,
  offer,
  error,
  entered,
  isOpen,
}: DelegationFormProps) => (
  <details class="card" id="delegation" open={isOpen}>
    <summary>
      {voters[0].id === viewerId ? 'Hand your vote to somebody else' : 'Hand a vote to somebody else'}
    </summary>
    <Form action={`${path}/delegate`} formToken={formToken}>
      {voters.length > 1 ? (
        <Select
          {...{ name: 'fromUserId', label: 'Whose vote', error, value: entered.fromUserId }}
          choices={voters.map(({ id, name }) => ({
            value: id,
            text: shownName(name, 60) + (id === viewerId ? ' (you)' : ''),
          }))}
        />
      ) : (
        <OnlyVoter voter={voters[0]} isViewer={voters[0].id === viewerId} />
      )}
      <PeopleField
        {...{ name: 'toUserId', label: 'To whom', offer, error, one: true, action: `${path}/delegate` }}
        hint="Editors of the project who have no vote on it yet."
        chosen={offer.people.filter(({ id }) => id === entered.toUserId)}
      />
      <TextInput
        {...{
          name: 'delegationReason',
          label: 'Reason (optional)',
          error,
          value: entered.reason,
          optional: true,
        }}
        hint="It is in the log of the organization."
      />
      <button type="submit" name="do" value="delegate">
        Hand it over
      </button>
    </Form>
  </details>
);

const OnlyVoter = ({ voter, isViewer }: { voter: Voter; isViewer: boolean }) => (
  <>
    <input type="hidden" name="fromUserId" value={voter.id} />
    {!isViewer && (
      <p>
        It is the vote of <Name of={voter.name} maxLength={60} />.
      </p>
    )}
  </>
);
