import type { OpenQuestion } from '../../domain/forms/form-open.ts';
import { formatLocalDate, readLocalDate } from '../../lib/text/local-date.ts';
import { formatLocalNumber, readLocalNumber } from '../../lib/text/local-number.js';

type Typed = Pick<OpenQuestion, 'type'>;

export const isNumber = ({ type }: Typed): boolean => type === 'NUMBER' || type === 'CURRENCY';

/** A typed answer in the notation in which it is stored; a text that cannot be read stays as it is, to be refused. */
export function readTyped(question: Typed, text: string, locale: string): string {
  if (isNumber(question)) return readLocalNumber(text, locale) ?? text;
  return question.type === 'DATE' ? (readLocalDate(text, locale) ?? text) : text;
}

/** A stored number as the reader would type it; other values as they are. */
export const typedText = (question: Typed, value: string, locale: string): string =>
  isNumber(question) ? formatLocalNumber(value, locale) : value;

/** How a stored answer was understood, where a language decides that; undefined for other types. */
export function shownAnswer(question: Typed, value: string, locale: string): string | undefined {
  if (isNumber(question)) return formatLocalNumber(value, locale);
  return question.type === 'DATE' ? formatLocalDate(value, locale) : undefined;
}

/** An error text about a number, with its numbers as the reader writes them. */
export const errorText = (question: Typed, error: string, locale: string): string =>
  isNumber(question)
    ? error.replace(/-?\d+(?:\.\d+)?/g, (number) => formatLocalNumber(number, locale))
    : error;
