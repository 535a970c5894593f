import { badValue } from '../../domain/kernel/errors.ts';
import { shorten } from '../../lib/text/shorten.js';
import { Members } from './members.ts';

/** The query parameter that holds the conditions of a list or a search (contract, "Search filter"). */
const META_FILTERS = 'metaFieldFilters_json';

/** The entries of the parameter; none where it is absent or empty. Throws BAD_USER_INPUT for other JSON. */
export function metaFilterEntries(query: Members): Members[] {
  const json = query.text(META_FILTERS) || '[]';
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw badValue(META_FILTERS, 'is not JSON.', { cause });
  }
  const isObject = (each: unknown) => each !== null && typeof each === 'object' && !Array.isArray(each);
  if (!Array.isArray(value) || !value.every(isObject))
    throw badValue(META_FILTERS, 'must be an array of objects.');
  return value.map((each) => new Members(Object.entries(each)));
}

/** BAD_USER_INPUT for a FieldID that this list cannot filter by. */
export const unknownFilter = (fieldId: string, expected: string) =>
  badValue(META_FILTERS, `${shorten(fieldId, 100)} is not a FieldID that is known here; use ${expected}.`);

/** What several conditions `equals` on one member leave: two different values match nothing. */
export const commonValues = (values: readonly string[]): string[] | undefined =>
  values.length > 0 ? values.filter((one) => values.every((other) => other === one)) : undefined;
