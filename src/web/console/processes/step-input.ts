import type { ProcessStepChange } from '../../../generated/operations/graphql.ts';
import { type FormError, fieldError } from '../ui/form-error.ts';
import { type EnteredProcess, type EnteredStep, stepField } from './entered.ts';

/** Text of a number for the graph, which refuses what is none; null for none. */
const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

const quorumInput = ({ quorum, need }: EnteredStep) =>
  quorum === 'COUNT' ? { need: numberOf(need) } : { rule: quorum };

/** The steps as the graph takes them: those at the same time have an equal rank. */
export function stepInputs({ steps }: EnteredProcess): ProcessStepChange[] {
  let rank = -1;
  return steps.map((step, position) => {
    if (position === 0 || !step.isParallel) rank += 1;
    const { name, veto, excludeRequester, distinctFromEarlier, approverIds, groupIds, onOverdue } = step;
    return {
      ...{ name, veto, excludeRequester, distinctFromEarlier, approverIds, groupIds, onOverdue, rank },
      ...(step.id && { id: step.id }),
      ...quorumInput(step),
      dueAfterDays: numberOf(step.dueAfterDays),
      escalateToIds: step.escalateToIds,
      escalateToGroupId: step.escalateToGroupId || null,
    };
  });
}

/** What the form lacks, in the words of the form. The graph checks the rest. */
export function problemOf({ name, steps }: EnteredProcess): FormError | undefined {
  if (!name) return fieldError('name', 'Enter a name.');
  return steps.map(problemOfStep).find((problem) => problem);
}

function problemOfStep(step: EnteredStep, position: number): FormError | undefined {
  const at = (member: string, text: string) => fieldError(stepField(position, member), text);
  const { approverIds, groupIds, quorum, onOverdue, dueAfterDays, escalateToIds, escalateToGroupId } = step;
  const escalates = escalateToIds.length > 0 || escalateToGroupId !== '';
  if (!step.name) return at('name', 'Enter a name.');
  if (approverIds.length + groupIds.length === 0)
    return at('approverIds', 'Choose at least one person or group.');
  if (quorum === 'COUNT' && !step.need) return at('need', 'Enter how many have to approve.');
  if (onOverdue !== 'REMIND' && !dueAfterDays)
    return at('dueAfterDays', 'Enter within how many days it is to be decided.');
  if (onOverdue === 'ESCALATE' && !escalates)
    return at('escalateToIds', 'Choose who may decide it too: people, a group, or both.');
  if (onOverdue !== 'ESCALATE' && escalates)
    return at('onOverdue', 'Choose that further people may decide it, or choose no further people.');
  return undefined;
}
