import { plainNumber } from './local-number.js';

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

/** Three numbers with something between them that is no digit; the year has four digits. */
const THREE_NUMBERS = /^\D{0,3}(\d{1,4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,4})\D{0,3}$/;

/** Reads a day in the order of a language: `4.3.2031` in German is `2031-03-04`. Undefined for any other text. */
export function readLocalDate(text: string, locale: string): string | undefined {
  const typed = plainNumber(text);
  if (ISO_DAY.test(typed)) return typed;
  const [, ...numbers] = THREE_NUMBERS.exec(typed) ?? [];
  const order = new Intl.DateTimeFormat(locale, { calendar: 'gregory', dateStyle: 'short' })
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => ['year', 'month', 'day'].includes(type));
  const of = (type: string) => numbers[order.indexOf(type as 'day')] ?? '';
  const day = `${of('year')}-${of('month').padStart(2, '0')}-${of('day').padStart(2, '0')}`;
  return ISO_DAY.test(day) ? day : undefined;
}

/** A day with the name of its month; a value with a time stays as it is. */
export const formatLocalDate = (value: string, locale: string): string =>
  ISO_DAY.test(value)
    ? new Intl.DateTimeFormat(locale, { calendar: 'gregory', dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(value),
      )
    : value;
