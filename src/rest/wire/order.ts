import type { OrderDirection } from '../../generated/operations/graphql.ts';
import type { Members } from './members.ts';

/** The direction that `sortDescending` asks for; `descends` without it. */
export const directionIn = (query: Members, descends: boolean): OrderDirection =>
  (query.flag('sortDescending') ?? descends) ? 'DESC' : 'ASC';

/** Whether an order of a list descends unless `sortDescending` says otherwise: names ascend, everything else descends. */
export const descendsByDefault = (field: string): boolean => field !== 'NAME';
