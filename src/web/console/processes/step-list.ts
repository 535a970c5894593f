import { type EnteredStep, MAX_STEPS, newStep } from './entered.ts';

/** What the buttons of the form do with its steps: `add`, and `up.2`, `down.2`, `remove.2` with the step at a position. */
export function changedSteps(steps: readonly EnteredStep[], button: string): EnteredStep[] {
  const [act, text] = button.split('.');
  const position = Number(text);
  if (act === 'add') return steps.length < MAX_STEPS ? [...steps, newStep()] : [...steps];
  if (!steps[position]) return [...steps];
  if (act === 'remove') return steps.length > 1 ? steps.filter((_, index) => index !== position) : [...steps];
  if (act === 'up') return swapped(steps, position - 1);
  if (act === 'down') return swapped(steps, position);
  return [...steps];
}

/** Exchanges a step with the next one. */
function swapped(steps: readonly EnteredStep[], position: number): EnteredStep[] {
  const [first, second] = [steps[position], steps[position + 1]];
  if (!first || !second) return [...steps];
  return steps.with(position, second).with(position + 1, first);
}
