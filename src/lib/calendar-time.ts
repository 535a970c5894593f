import { MINUTE, SECOND } from './time.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;

/** RFC 3339 §5.6, in upper case; the seconds may be left out, as in ISO 8601. */
const TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:\.(\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** What PostgreSQL stores and four digits show in UTC: the years 1 to 9999. */
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** The beginning of a day such as `2026-02-28` in UTC; undefined for one that no calendar has, as 30 February. */
export function parseDay(text: string): Date | undefined {
  const day = new Date(DATE.test(text) ? text : Number.NaN);
  const exists = day.getTime() >= FIRST && day.toISOString().startsWith(text);
  return exists ? day : undefined;
}

/** The last second of June and December in UTC, after which a leap second may be inserted (RFC 3339 §5.7). */
const BEFORE_LEAP_SECOND = /-(?:06-30|12-31)T23:59:59/;

/**
 * A time with its offset, to the millisecond; digits beyond it are dropped. Undefined for a day or an hour that does not
 * exist, for `24:00`, and for years other than 1 to 9999 in UTC. A leap second is taken where one may be, as the first
 * second of the next day, as POSIX and PostgreSQL count. `-00:00` is UTC (RFC 3339 §4.3).
 */
export function parseTime(text: string): Date | undefined {
  const [, date = '', hours, minutes, seconds = '', fraction = '', sign, ...offset] = TIME.exec(text) ?? [];
  const day = parseDay(date);
  if (!day) return undefined;
  const ahead = (sign === '-' ? -1 : 1) * (60 * Number(offset[0] ?? 0) + Number(offset[1] ?? 0));
  const minute = day.getTime() + (60 * Number(hours) + Number(minutes) - ahead) * MINUTE;
  const isLeap = seconds === '60';
  if (isLeap && !BEFORE_LEAP_SECOND.test(new Date(minute + MINUTE - 1).toISOString())) return undefined;
  const time = minute + Number(seconds) * SECOND + Number(fraction.padEnd(3, '0').slice(0, 3));
  return time >= FIRST && time <= LAST ? new Date(time) : undefined;
}

/** A day, as its beginning in UTC, or a time with its offset. */
export const parseDayOrTime = (text: string): Date | undefined => parseDay(text) ?? parseTime(text);
