import { badValue } from '../../domain/kernel/errors.ts';
import type { InputMember } from '../shape/input.ts';
import { typeText } from '../shape/shape.ts';
import type { Members } from '../wire/members.ts';

interface FieldValues {
  fieldId: string;
  values: string[];
}

/** Several values in one member: a JSON array; empty without values. */
export const joinValues = (values: readonly string[]): string =>
  values.length > 0 ? JSON.stringify(values) : '';

/** The values of a field in a request: Values, as `joinValues` writes them, or else Value. */
function valuesIn(item: Members): string[] {
  const values = item.text('Values');
  const value = item.text('Value');
  return values ? splitValues(values, item.pathOf('Values')) : value ? [value] : [];
}

/** The values of a field, with the descriptions of the members that have them. */
export const valueMembers = (value: string, values: string): InputMember<string[]> => ({
  members: { Value: typeText('string', value), Values: typeText('string', values) },
  names: { '': 'Values|Value' },
  read: valuesIn,
});

/** A text that is no JSON array is a single value. */
function splitValues(values: string, at: string): string[] {
  if (!values.startsWith('[')) return [values];
  try {
    const parsed: unknown = JSON.parse(values);
    if (Array.isArray(parsed) && parsed.every((each) => typeof each === 'string')) return parsed;
  } catch {}
  throw badValue(at, 'must be a JSON array of strings.');
}

/** FieldIDsAndValues: the values of each field; undefined if it is left out. */
export const fieldValues = (about?: string): InputMember<FieldValues[] | undefined> => ({
  members: { FieldIDsAndValues: typeText('{string[]}', about) },
  names: { '': 'FieldIDsAndValues{}' },
  read: (item) => {
    const byField = item.textsByName('FieldIDsAndValues');
    return byField && Object.entries(byField).map(([fieldId, values]) => ({ fieldId, values }));
  },
});
