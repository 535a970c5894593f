import { Select, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { PeopleField } from '../ui/people-field.tsx';
import type { ProcessChoices } from './choices.ts';
import { type EnteredStep, type SearchedField, stepField } from './entered.ts';

export interface StepFieldsProps {
  /** The path of the form. */
  path: string;
  position: number;
  step: EnteredStep;
  choices: ProcessChoices;
  error?: FormError;
}

/** What a form says of who decides a step, and of how many of them. */
export const DecisionFields = (props: StepFieldsProps) => {
  const { position, step, error } = props;
  const field = (member: string) => ({ name: stepField(position, member), error });
  return (
    <>
      <TextInput {...field('name')} label="Name of the step" value={step.name} />
      {position > 0 && <Check {...props} member="isParallel" text="At the same time as the step before" />}
      <ChoiceField {...props} member="approverIds" label="Approvers: people" chosen={step.approverIds} />
      <ChoiceField {...props} member="groupIds" label="Approvers: groups" chosen={step.groupIds} />
      <Select {...field('quorum')} label="How many have to approve" choices={QUORUMS} value={step.quorum} />
      <TextInput
        {...field('need')}
        {...{ label: 'Number', type: 'number', optional: true, value: step.need }}
        hint="With “As many as the number”: 1 to 50."
      />
      <Check {...props} member="veto" text="One denial denies it" />
      <Check {...props} member="excludeRequester" text="Not by who starts the process" />
      <Check {...props} member="distinctFromEarlier" text="Not by who voted on an earlier step" />
    </>
  );
};

const QUORUMS = [
  { value: 'ONE', text: 'One of them' },
  { value: 'ALL', text: 'All of them' },
  { value: 'COUNT', text: 'As many as the number' },
];

/** Until when a step is decided, and what happens then. Open where it has more than nothing. */
export const DueFields = (props: StepFieldsProps) => {
  const { position, step, error } = props;
  const field = (member: string) => ({ name: stepField(position, member), error });
  return (
    <details class="due" open={isUsed(props)}>
      <summary>Due time</summary>
      <TextInput
        {...field('dueAfterDays')}
        {...{ label: 'Days until it is due (optional)', type: 'number', optional: true }}
        value={step.dueAfterDays}
        hint="After its request, 1 to 3650. Without a number it is never overdue."
      />
      <Select
        {...field('onOverdue')}
        {...{ label: 'Once it is overdue', choices: ACTIONS, value: step.onOverdue }}
      />
      <ChoiceField {...props} member="escalateToIds" label="Further people" chosen={step.escalateToIds} />
      <ChoiceField
        {...props}
        {...{ member: 'escalateToGroupId', label: 'Further people: the members of a group', one: true }}
        chosen={step.escalateToGroupId ? [step.escalateToGroupId] : []}
      />
    </details>
  );
};

const ACTIONS = [
  { value: 'REMIND', text: 'Its approvers are reminded' },
  { value: 'ESCALATE', text: 'Further people may decide it too' },
  { value: 'DECLINE', text: 'It is declined, and the process ends' },
];

const DUE_MEMBERS = ['dueAfterDays', 'onOverdue', 'escalateToIds', 'escalateToGroupId'];

const isUsed = ({ step, position, error }: StepFieldsProps): boolean =>
  step.dueAfterDays !== '' ||
  step.onOverdue !== 'REMIND' ||
  [step.searches.escalateToIds, step.searches.escalateToGroupId].some((search) => search !== '') ||
  DUE_MEMBERS.some((member) => error?.at === stepField(position, member));

type ChoiceFieldProps = StepFieldsProps & {
  member: SearchedField;
  label: string;
  chosen: readonly string[];
  one?: boolean;
};

/** A field of people or groups; none where there is nothing to choose but people. */
const ChoiceField = ({
  path,
  position,
  step,
  choices,
  error,
  member,
  label,
  chosen,
  one,
}: ChoiceFieldProps) => {
  const offer = choices.offerOf(member, step.searches[member]);
  const people = choices.chosenOf(chosen);
  const isEmpty = people.length + offer.people.length === 0 && !offer.hasMore && !offer.search;
  if (isEmpty && (member === 'groupIds' || member === 'escalateToGroupId')) return null;
  const none = one ? [{ id: '', name: 'No group' }] : [];
  return (
    <PeopleField
      {...{ name: stepField(position, member), label, error, one, action: path }}
      offer={{ ...offer, people: people.length > 0 ? [...none, ...offer.people] : offer.people }}
      chosen={people.length > 0 ? people : none}
    />
  );
};

interface CheckProps {
  position: number;
  step: EnteredStep;
  member: 'isParallel' | 'veto' | 'excludeRequester' | 'distinctFromEarlier';
  text: string;
}

const Check = ({ position, step, member, text }: CheckProps) => (
  <label class="check">
    <input
      id={stepField(position, member)}
      {...{ type: 'checkbox', name: stepField(position, member), value: 'yes', checked: step[member] }}
    />
    <span>{text}</span>
  </label>
);
