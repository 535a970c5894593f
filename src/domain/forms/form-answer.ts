import type { Field, FormField } from '../../generated/prisma/client.ts';
import { shorten } from '../../lib/text/shorten.js';
import { findTextFaults } from '../../pdf/font/text-faults.js';
import { typedValue } from '../fields/field-value.ts';
import { badValue, DomainError } from '../kernel/errors.ts';

/** Why values cannot be drawn, by value. */
export type TextFaults = ReadonlyMap<string, string>;

/** A field of a form: the project field defines the type, the form's field the values allowed. */
export type Question = Pick<Field, 'name' | 'type' | 'multipleValues'> &
  Pick<FormField, 'required' | 'minimum' | 'maximum' | 'possibleValues'>;

/**
 * Returns the values of an answer, normalized for the type and without blank ones. faults: of findTextFaults; at: path of the input. Throws
 * BAD_USER_INPUT naming the field for a missing required answer, several values where one is allowed, and a value of
 * another type, that cannot be drawn or shows nothing, out of range or not among the possible values.
 */
export function checkAnswer(
  question: Question,
  input: readonly string[],
  { faults, at }: { faults: TextFaults; at: string },
): string[] {
  const { name, required, multipleValues } = question;
  const values = input.filter((value) => value.trim() !== '');
  if (values.length === 0 && required) throw badValue(at, 'an answer is required', { subject: name });
  if (values.length > 1 && !multipleValues) throw badValue(at, 'takes one value', { subject: name });
  for (const value of values) {
    const fault = faults.get(value);
    if (fault !== undefined) throw badValue(at, fault, { subject: name });
  }
  return values.map((value) => checkValue(question, value, at));
}

/**
 * Returns the error text of each invalid answer by the id of the form's field, for a form page; submitForm throws the
 * first one only. The texts do not name the field and begin in lower case.
 */
export async function findAnswerErrors(
  questions: readonly (Question & { id: string })[],
  answers: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, string>> {
  const faults = await findTextFaults([...answers.values()].flat());
  const errors = new Map<string, string>();
  for (const question of questions) {
    try {
      checkAnswer(question, answers.get(question.id) ?? [], { faults, at: '' });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors.set(question.id, error.reason);
    }
  }
  return errors;
}

function checkValue(question: Question, value: string, at: string): string {
  const { name, minimum, maximum, possibleValues } = question;
  const { text, number } = typedValue(question, value, at);
  if (number && minimum && number.lt(minimum))
    throw badValue(at, `must be at least ${minimum.toFixed()}`, { subject: name });
  if (number && maximum && number.gt(maximum))
    throw badValue(at, `must be at most ${maximum.toFixed()}`, { subject: name });
  if (possibleValues.length > 0 && !possibleValues.includes(text))
    throw badValue(at, `${excerpt(text)} is not among its choices`, { subject: name });
  return text;
}

const excerpt = (text: string): string => shorten(text, 100, '…');
