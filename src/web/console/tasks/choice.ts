import type { TaskFilter, TaskOrder } from '../../../generated/operations/graphql.ts';

const DUE_FIRST: TaskOrder = { field: 'DUE_AT', direction: 'ASC' };
const NEWEST_FIRST: TaskOrder = { field: 'CREATED_AT', direction: 'DESC' };

export interface Part {
  value: string;
  text: string;
  filter: TaskFilter;
  orderBy: TaskOrder;
  /** The sentence of a list without any. */
  empty: string;
}

/** Which tasks a list shows; the first is the default. */
export const PARTS: readonly [Part, ...Part[]] = [
  {
    ...{ value: 'open', text: 'Open', filter: { states: ['OPEN'] } },
    ...{ orderBy: DUE_FIRST, empty: 'There is no open task.' },
  },
  {
    ...{ value: 'overdue', text: 'Overdue', filter: { overdue: true } },
    ...{ orderBy: DUE_FIRST, empty: 'No task is overdue.' },
  },
  {
    ...{ value: 'completed', text: 'Completed', filter: { states: ['COMPLETED'] } },
    ...{ orderBy: NEWEST_FIRST, empty: 'No task was completed.' },
  },
  {
    ...{ value: 'denied', text: 'Denied', filter: { states: ['DENIED'] } },
    ...{ orderBy: NEWEST_FIRST, empty: 'No task was denied.' },
  },
  { ...{ value: 'all', text: 'All', filter: {} }, ...{ orderBy: NEWEST_FIRST, empty: 'There is no task.' } },
];
