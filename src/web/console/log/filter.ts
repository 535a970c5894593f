import { ConsoleLogActorDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { parseDay } from '../../../lib/calendar-time.ts';
import { DAY } from '../../../lib/time.ts';
import { type FormError, fieldError } from '../ui/form-error.ts';
import type { Visit } from '../ui/visit.ts';

const ACTOR = storedOperation(ConsoleLogActorDocument);

/** The filter of the log as it is in the query of its pages. */
export interface LogQuery {
  /** Kinds, separated by commas or blanks. */
  kinds: string;
  /** The id of a user, or the e-mail address of a member. */
  actor: string;
  /** The client_id of an application. */
  app: string;
  /** Days in UTC, such as 2026-01-31; both are included. */
  from: string;
  to: string;
}

export const NO_FILTER = { kinds: '', actor: '', app: '', from: '', to: '' } satisfies LogQuery;

/** The filter as the graph takes it. */
export interface LogFilter {
  kinds?: string[];
  actorId?: string;
  clientId?: string;
  since?: string;
  until?: string;
}

export const queryOf = ({ query }: Visit): LogQuery & Record<string, string> => ({
  kinds: query('kinds')?.trim() ?? '',
  actor: query('actor')?.trim() ?? '',
  app: query('app')?.trim() ?? '',
  from: query('from') ?? '',
  to: query('to') ?? '',
});

/** The filter of a query, or what is wrong with it. */
export async function filterOf(visit: Visit, query: LogQuery): Promise<LogFilter | FormError> {
  const since = startOf(query.from);
  const until = startOf(query.to);
  if (since === null) return fieldError('from', 'Enter a day such as 2026-01-31.');
  if (until === null) return fieldError('to', 'Enter a day such as 2026-01-31.');
  const actorId = query.actor ? await actorOf(visit, query.actor) : undefined;
  if (actorId === null) return fieldError('actor', 'No member that you see has this address.');
  const kinds = query.kinds.split(/[\s,]+/).filter((kind) => kind !== '');
  return {
    ...(kinds.length > 0 ? { kinds } : {}),
    ...(actorId ? { actorId } : {}),
    ...(query.app ? { clientId: query.app } : {}),
    ...(since ? { since: since.toISOString() } : {}),
    ...(until ? { until: new Date(until.getTime() + DAY).toISOString() } : {}),
  };
}

/** The beginning of a day; undefined where none is given, and null for what is no day. */
const startOf = (day: string): Date | undefined | null => (day ? (parseDay(day) ?? null) : undefined);

async function actorOf(visit: Visit, actor: string): Promise<string | null> {
  if (!actor.includes('@')) return actor;
  const variables = { id: visit.param('organization'), email: actor };
  const { organization } = await visit.run(ACTOR, variables);
  return organization?.members.nodes[0]?.user.id ?? null;
}
