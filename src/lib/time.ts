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

const table = (length: number, digits: number, end: string) =>
  Array.from({ length }, (_, number) => String(number).padStart(digits, '0') + end);
const HOURS = table(24, 2, ':');
const MINUTES = table(60, 2, ':');
const SECONDS = table(60, 2, '.');
const THOUSANDTHS = table(1_000, 3, 'Z');

/** What `toISOString` gives, several times faster: an answer may hold hundreds. Throws RangeError for an invalid date. */
export function isoOf(date: Date): string {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new RangeError('Invalid time value');
  const day = Math.floor(time / DAY);
  const ms = time - day * DAY;
  const seconds = Math.floor(ms / SECOND);
  const minutes = Math.floor(seconds / 60);
  const clock = `${HOURS[Math.floor(minutes / 60)]}${MINUTES[minutes % 60]}${SECONDS[seconds % 60]}`;
  return dayOf(day) + clock + THOUSANDTHS[ms % SECOND];
}
