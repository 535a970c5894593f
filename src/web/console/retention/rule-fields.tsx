import { Select, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import type { EnteredPolicy } from './entered.ts';
import { ACTION_CHOICES, START_CHOICES, UNIT_CHOICES } from './texts.ts';

interface RuleFieldsProps {
  entered: EnteredPolicy;
  error?: FormError;
  groups: readonly { id: string; name: string }[];
  /** Whether the start can be chosen: only of a new policy. */
  isNew?: boolean;
}

export const RuleFields = ({ entered, error, groups, isNew }: RuleFieldsProps) => (
  <>
    <TextInput name="name" label="Name" error={error} value={entered.name} />
    <TextInput
      name="keep"
      label="How long"
      hint="The number of years, months or days."
      type="number"
      error={error}
      value={entered.keep}
      optional
    />
    <Select name="keepUnit" label="Unit" error={error} choices={UNIT_CHOICES} value={entered.keepUnit} />
    {isNew && (
      <Select
        name="startsFrom"
        label="Counted from"
        hint="A date in a field is set in the graph."
        error={error}
        choices={START_CHOICES}
        value={entered.startsFrom}
      />
    )}
    <Select name="action" label="Then" error={error} choices={ACTION_CHOICES} value={entered.action} />
    <Select
      name="reviewGroupId"
      label="Who decides, for a review"
      error={error}
      choices={[{ value: '', text: 'Nobody' }, ...groups.map(({ id, name }) => ({ value: id, text: name }))]}
      value={entered.reviewGroupId}
    />
    <TextInput
      name="reviewNeed"
      label="How many of them have to approve"
      type="number"
      error={error}
      value={entered.reviewNeed}
    />
  </>
);
