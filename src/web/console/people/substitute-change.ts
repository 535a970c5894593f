import {
  ConsoleEndSubstituteDocument,
  ConsoleMemberDocument,
  ConsoleSetSubstituteDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { parseDay } from '../../../lib/calendar-time.ts';
import { startOfDay } from '../../../lib/local-time.ts';
import { DAY } from '../../../lib/time.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError, inField } from '../ui/form-error.ts';
import { searchField } from '../ui/people-field.tsx';
import { sectionHref, type Visit } from '../ui/visit.ts';
import type { EnteredSubstitute } from './substitute.ts';

const MEMBER = storedOperation(ConsoleMemberDocument);
const SET = storedMutation(ConsoleSetSubstituteDocument);
const END = storedMutation(ConsoleEndSubstituteDocument);

type Show = (visit: Visit, error?: FormError, entered?: EnteredSubstitute) => Promise<Response>;

const enteredIn = (form: URLSearchParams): EnteredSubstitute => ({
  toMemberId: form.get('toMemberId') ?? '',
  startsAt: form.get('startsAt') ?? '',
  endsAt: form.get('endsAt') ?? '',
  search: (form.get(searchField('toMemberId')) ?? '').trim(),
});

/** Sets or ends the substitute of a member, or searches for one; `show` is the page again. */
export function changeSubstitute(visit: Visit, form: URLSearchParams, show: Show): Promise<Response> {
  const target = { organizationId: visit.param('organization'), memberId: visit.param('member') };
  const entered = enteredIn(form);
  if (form.get('do') === 'find') return show(visit, undefined, entered);
  if (form.get('do') === 'end')
    return change(visit, 'substituteEnded', () => visit.run(END, { input: target }), show);
  const problem = problemOf(entered);
  if (problem) return show(visit, problem, entered);
  const set = async () => {
    const { viewer } = await visit.run(MEMBER, { id: target.organizationId, memberId: target.memberId });
    const period = periodOf(entered, viewer.timeZone);
    return visit.run(SET, { input: { ...target, toMemberId: entered.toMemberId, ...period } });
  };
  return change(visit, 'substituteSet', set, show, entered);
}

const FIELDS = { toMemberId: 'toMemberId', startsAt: 'startsAt', endsAt: 'endsAt' };

const change = (
  visit: Visit,
  done: string,
  run: () => Promise<unknown>,
  show: Show,
  entered?: EnteredSubstitute,
): Promise<Response> =>
  attempt(
    async () => {
      await run();
      return seeOther(`${sectionHref(visit, 'people')}/${visit.param('member')}?done=${done}`);
    },
    (error) => show(visit, inField(error, FIELDS), entered),
  );

const DAY_HINT = 'Enter a day such as 2026-01-31.';

/** What the form lacks; that the end is in the future is checked by the graph. */
function problemOf({ toMemberId, startsAt, endsAt }: EnteredSubstitute): FormError | undefined {
  if (!toMemberId) return fieldError('toMemberId', 'Choose who gets the votes.');
  if (startsAt && !parseDay(startsAt)) return fieldError('startsAt', DAY_HINT);
  if (!parseDay(endsAt)) return fieldError('endsAt', DAY_HINT);
  if (startsAt > endsAt) return fieldError('endsAt', 'Enter a day that is not before the first one.');
  return undefined;
}

/** From the beginning of the first day to the end of the last one, in the time zone. */
function periodOf({ startsAt, endsAt }: EnteredSubstitute, timeZone: string) {
  const first = parseDay(startsAt);
  const afterLast = new Date((parseDay(endsAt)?.getTime() ?? 0) + DAY);
  return {
    startsAt: first ? startOfDay(timeZone, first).toISOString() : null,
    endsAt: startOfDay(timeZone, afterLast).toISOString(),
  };
}
