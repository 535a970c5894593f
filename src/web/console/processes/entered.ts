import type { ConsoleStepFragment, OverdueAction } from '../../../generated/operations/graphql.ts';
import { searchField } from '../ui/people-field.tsx';

/** How many of the approvers have to approve; COUNT: as many as `need` says. */
export type Quorum = 'ONE' | 'ALL' | 'COUNT';

/** What was typed and chosen for a step. */
export interface EnteredStep {
  /** Of a step that exists; empty for a new one. */
  id: string;
  name: string;
  /** Whether it is decided at the same time as the step before. */
  isParallel: boolean;
  quorum: Quorum;
  need: string;
  veto: boolean;
  excludeRequester: boolean;
  distinctFromEarlier: boolean;
  approverIds: string[];
  groupIds: string[];
  dueAfterDays: string;
  onOverdue: OverdueAction;
  escalateToIds: string[];
  escalateToGroupId: string;
  /** What was searched for, by the field. */
  searches: Record<SearchedField, string>;
}

export interface EnteredProcess {
  name: string;
  /** The version that the form began with; undefined for a new process. */
  version?: number;
  steps: EnteredStep[];
}

export const SEARCHED = ['approverIds', 'groupIds', 'escalateToIds', 'escalateToGroupId'] as const;

/** The fields of a step in which people or groups are chosen. */
export type SearchedField = (typeof SEARCHED)[number];

const NO_SEARCHES = { approverIds: '', groupIds: '', escalateToIds: '', escalateToGroupId: '' };

export const MAX_STEPS = 20;

/** One more than the graph takes, which refuses it. */
const MAX_NAMED = 51;

/** The name of a field of the step at a position, which is also its id and its path in the input of the graph. */
export const stepField = (position: number, member: string): string => `steps.${position}.${member}`;

export const newStep = (): EnteredStep => ({
  ...{ id: '', name: '', isParallel: false, quorum: 'ONE', need: '', veto: true },
  ...{ excludeRequester: false, distinctFromEarlier: false, approverIds: [], groupIds: [] },
  ...{ dueAfterDays: '', onOverdue: 'REMIND', escalateToIds: [], escalateToGroupId: '' },
  searches: NO_SEARCHES,
});

const quorumOf = ({ need, rule }: ConsoleStepFragment): Quorum =>
  need !== null && need > 1 ? 'COUNT' : rule === 'ALL' ? 'ALL' : 'ONE';

const idsOf = (nodes: readonly { id: string }[]): string[] => nodes.map(({ id }) => id);

/** The form of a process as it is. */
export const enteredOf = (
  name: string,
  version: number,
  steps: readonly ConsoleStepFragment[],
): EnteredProcess => ({
  ...{ name, version },
  steps: steps.map((step, position) => ({
    ...{ id: step.id, name: step.name, veto: step.veto, onOverdue: step.onOverdue },
    isParallel: position > 0 && step.rank === steps[position - 1]?.rank,
    quorum: quorumOf(step),
    need: quorumOf(step) === 'COUNT' ? `${step.need}` : '',
    excludeRequester: step.excludeRequester,
    distinctFromEarlier: step.distinctFromEarlier,
    approverIds: idsOf(step.approvers.nodes),
    groupIds: idsOf(step.groups.nodes),
    dueAfterDays: step.dueAfterDays === null ? '' : `${step.dueAfterDays}`,
    escalateToIds: idsOf(step.escalateTo.nodes),
    escalateToGroupId: step.escalateToGroup?.id ?? '',
    searches: NO_SEARCHES,
  })),
});

/** What a form has; of a form with more steps than are possible, the first ones. */
export function enteredIn(form: URLSearchParams): EnteredProcess {
  const count = Math.min(Math.max(Number(form.get('count')) || 0, 1), MAX_STEPS);
  return {
    name: (form.get('name') ?? '').trim(),
    version: Number(form.get('version')) || undefined,
    steps: Array.from({ length: count }, (_, position) => stepIn(form, position)),
  };
}

function stepIn(form: URLSearchParams, position: number): EnteredStep {
  const text = (member: string) => (form.get(stepField(position, member)) ?? '').trim();
  const isChecked = (member: string) => text(member) === 'yes';
  const all = (member: string) => [...new Set(form.getAll(stepField(position, member)))].slice(0, MAX_NAMED);
  const search = (member: SearchedField) => (form.get(searchField(stepField(position, member))) ?? '').trim();
  return {
    ...{ id: text('id'), name: text('name'), need: text('need'), dueAfterDays: text('dueAfterDays') },
    ...{
      quorum: (text('quorum') || 'ONE') as Quorum,
      onOverdue: (text('onOverdue') || 'REMIND') as OverdueAction,
    },
    ...{ isParallel: isChecked('isParallel'), veto: isChecked('veto') },
    excludeRequester: isChecked('excludeRequester'),
    distinctFromEarlier: isChecked('distinctFromEarlier'),
    approverIds: all('approverIds'),
    groupIds: all('groupIds'),
    escalateToIds: all('escalateToIds'),
    escalateToGroupId: text('escalateToGroupId'),
    searches: Object.fromEntries(SEARCHED.map((each) => [each, search(each)])) as EnteredStep['searches'],
  };
}
