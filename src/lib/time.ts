export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A time so many milliseconds from now. */
export const fromNow = (ms: number): Date => new Date(Date.now() + ms);

/** Days as ISO 8601 has them, up to `T`, by their number from 1970: of those that were asked for, which are few. */
const days = new Map<number, string>();
const MOST_DAYS = 10_000;

function dayOf(number: number): string {
  let text = days.get(number);
  if (text === undefined) {
    text = new Date(number * DAY).toISOString().slice(0, -13);
    if (days.size >= MOST_DAYS) days.clear();
    days.set(number, text);
  }
  return text;
}

/** A time as ISO 8601 has it: its day with a `T` after it, and the whole numbers of its clock. */
export interface Instant {
  day: string;
  hours: number;
  minutes: number;
  seconds: number;
  ms: number;
}

/** Of milliseconds from 1970. Throws RangeError where there is no such day (ECMA-262, Time Values). */
export function instantOf(time: number): Instant {
  const number = Math.floor(time / DAY);
  const ms = time - number * DAY;
  return {
    day: dayOf(number),
    hours: Math.floor(ms / HOUR),
    minutes: Math.floor(ms / MINUTE) % 60,
    seconds: Math.floor(ms / SECOND) % 60,
    ms: ms % SECOND,
  };
}

const table = (length: number, digits: number, end: string) =>
  Array.from({ length }, (_, number) => String(number).padStart(digits, '0') + end);
const HOURS = table(24, 2, ':');
const MINUTES = table(60, 2, ':');
const SECONDS = table(60, 2, '.');
const THOUSANDTHS = table(1_000, 3, 'Z');

/** What `toISOString` gives, several times faster: an answer may hold hundreds. Throws RangeError for an invalid date. */
export function isoOf(date: Date): string {
  const { day, hours, minutes, seconds, ms } = instantOf(date.getTime());
  return `${day}${HOURS[hours]}${MINUTES[minutes]}${SECONDS[seconds]}${THOUSANDTHS[ms]}`;
}
