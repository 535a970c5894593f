import type { Field, FormField } from '../../generated/prisma/client.ts';
import { typedValue } from '../fields/field-value.ts';
import { badInput, DomainError } from '../kernel/errors.ts';

/** What a field of a form asks: the project field says what an answer is, the form which ones it takes. */
export type Question = Pick<Field, 'name' | 'type' | 'multipleValues'> &
  Pick<FormField, 'required' | 'minimum' | 'maximum' | 'possibleValues'>;

/**
 * The answer to a question, as its type has it; blanks are no answer. Throws BAD_USER_INPUT that names the field: for
 * a required one without an answer, several where one is asked for, and what is not of the type, out of range, or not
 * among the possible values.
 */
export function checkAnswer(question: Question, given: readonly string[], at: string): string[] {
  const { name, required, multipleValues } = question;
  const values = given.filter((value) => value.trim() !== '');
  if (values.length === 0 && required) throw badInput(`${name}: an answer is required`, at);
  if (values.length > 1 && !multipleValues) throw badInput(`${name}: takes one value`, at);
  return values.map((value) => checked(question, value, at));
}

/**
 * What is wrong with the answers to a form's questions, by the id of the form's field: all of it, where submitting names
 * the first. Each begins in lower case, and does not name the field.
 */
export function findAnswerErrors(
  questions: readonly (Question & { id: string })[],
  answers: ReadonlyMap<string, readonly string[]>,
): Map<string, string> {
  const faults = new Map<string, string>();
  for (const question of questions) {
    try {
      checkAnswer(question, answers.get(question.id) ?? [], '');
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults.set(question.id, error.message.slice(`${question.name}: `.length));
    }
  }
  return faults;
}

function checked(question: Question, value: string, at: string): string {
  const { name, minimum, maximum, possibleValues } = question;
  const { text, number } = typedValue(question, value, at);
  if (number && minimum && number.lt(minimum))
    throw badInput(`${name}: must be at least ${minimum.toFixed()}`, at);
  if (number && maximum && number.gt(maximum))
    throw badInput(`${name}: must be at most ${maximum.toFixed()}`, at);
  if (possibleValues.length > 0 && !possibleValues.includes(text))
    throw badInput(`${name}: ${excerpt(text)} is not among its choices`, at);
  return text;
}

const excerpt = (text: string): string =>
  text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text;
