import { DAY, MINUTE } from './time.ts';

/** Whether this is a name of the IANA time zone database that this Node.js has, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    partsIn(name);
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 1_000;

/** Throws RangeError for an unknown time zone. */
function partsIn(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone);
  if (cached) return cached;
  const numeric = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    ...numeric,
    second: 'numeric',
    hourCycle: 'h23',
    era: 'short',
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** The local time there, in ms, as if it were UTC; whole seconds. */
function localTime(timeZone: string, at: number): number {
  const parts = new Map(
    partsIn(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year = 0, month = 1, day, hour, minute, second] = [
    'year',
    'month',
    'day',
    'hour',
    'minute',
    'second',
  ].map((name) => parts.get(name as Intl.DateTimeFormatPartTypes));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The day there (ISO 8601). */
export const dayIn = (timeZone: string, at: Date): string =>
  new Date(localTime(timeZone, at.getTime())).toISOString().slice(0, 10);

/** The beginning of a day there, which is given by its beginning in UTC; where no midnight exists, the first time after it. */
export const startOfDay = (timeZone: string, day: Date): Date => new Date(instantOf(timeZone, day.getTime()));

/** The first time after `after` at which it is `hour` o'clock there; a day may have 23 or 25 hours. */
export function nextHour(timeZone: string, hour: number, after: Date): Date {
  const local = localTime(timeZone, after.getTime());
  const midnight = Math.floor(local / DAY) * DAY;
  for (let day = 0; ; day++) {
    const localInstant = midnight + day * DAY + hour * 60 * MINUTE;
    const at = instantOf(timeZone, localInstant);
    if (at > after.getTime()) return new Date(at);
  }
}

/** The instant of a local time: the offset before a change of the clock is tried first, then the one after it. */
function instantOf(timeZone: string, local: number): number {
  const first = local - (localTime(timeZone, local) - local);
  return local - (localTime(timeZone, first) - first);
}
