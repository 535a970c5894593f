import { shownName } from '../../ui/name.tsx';
import type { FormError } from '../ui/form-error.ts';
import type { ProcessChoices } from './choices.ts';
import { type EnteredProcess, stepField } from './entered.ts';

/** `processes.0.steps.2.approverIds.1`, or the same without the process: the step, the field, and the item of its list. */
const IN_STEP = /^(?:processes\.0\.)?steps\.(\d+)\.(\w+)(?:\.(\d+))?$/;

/** A refusal by the graph at the field of the form; of people it names the one that it is about. */
export function refusal(error: FormError, { steps }: EnteredProcess, choices: ProcessChoices): FormError {
  if (!error.path) return error;
  const [, position, member = '', item] = IN_STEP.exec(error.path) ?? [];
  const step = steps[Number(position)];
  if (!step) return { ...error, at: error.at === 'name' ? 'name' : undefined };
  const at = stepField(Number(position), member === 'rule' ? 'quorum' : member);
  const ids = member === 'approverIds' || member === 'escalateToIds' ? step[member] : [];
  const id = item === undefined ? undefined : ids[Number(item)];
  if (id === undefined) return { ...error, at };
  const [person] = choices.chosenOf([id]);
  return {
    ...error,
    at,
    text: `${person ? shownName(person.name, 60) : 'A person'} is no editor of the project.`,
  };
}
