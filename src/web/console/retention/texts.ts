import type {
  ConsoleRetentionRuleFragment,
  ConsoleRetentionScopeFragment,
  RetentionAction,
  RetentionStart,
} from '../../../generated/operations/graphql.ts';
import type { Choice } from '../ui/fields.tsx';
import { enteredKeep, FOREVER } from './entered.ts';

/** What the pages of retention say of policies. */

const UNITS: Record<string, string> = { Y: 'year', M: 'month', D: 'day' };

/** A duration of ISO 8601 for people: `P10Y` is `10 years`; null is for ever. */
function keepWords(duration: string | null | undefined): string {
  const { keep, keepUnit } = enteredKeep(duration);
  return keepUnit === FOREVER ? 'For ever' : `${keep} ${UNITS[keepUnit]}${keep === '1' ? '' : 's'}`;
}

const STARTS: Record<RetentionStart, string> = {
  CREATED: 'the creation of the document',
  LAST_REVISION: 'its newest revision',
  SEALED: 'the completion of its signatures',
  APPROVED: 'its last approval',
  PROJECT_CLOSED: 'the end of its project (disabled or deleted)',
  FIELD: 'the date in a field',
};

const ACTIONS: Record<RetentionAction, string> = {
  NOTHING: 'it stays, and may be purged by people',
  REVIEW: 'a group of people decides whether it is purged',
  PURGE: 'it is purged',
};

/** The rule of a policy in one sentence. */
export const ruleWords = ({ keep, startsFrom, field, action }: ConsoleRetentionRuleFragment): string => {
  const start = field ? `the date in ${field.name}` : STARTS[startsFrom];
  return `${keepWords(keep)} from ${start}; then ${ACTIONS[action]}.`;
};

export function scopeWords({ scope, project, folder, field, choice }: ConsoleRetentionScopeFragment): string {
  const inProject = project ? project.name : 'a project that you do not see';
  if (scope === 'ORGANIZATION') return 'The whole organization';
  if (scope === 'PROJECT') return `Project ${inProject}`;
  if (scope === 'FOLDER') return `Folder ${folder?.path ?? '?'} in ${inProject}`;
  return `${field?.name ?? 'A field'} is ${choice}, in ${inProject}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const choicesOf = (texts: Record<string, string>): Choice[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text: capital(text) }));

/** FIELD is set in the graph, where a field has an id. */
export const START_CHOICES = choicesOf(STARTS).filter(({ value }) => value !== 'FIELD');
export const ACTION_CHOICES = choicesOf(ACTIONS);
export const UNIT_CHOICES: readonly Choice[] = [
  ...Object.entries(UNITS).map(([value, text]) => ({ value, text: `${capital(text)}s` })),
  { value: FOREVER, text: 'For ever, whatever the number' },
];
