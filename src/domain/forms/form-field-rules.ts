import { z } from 'zod';
import type { Field, FormField, Prisma } from '../../generated/prisma/client.ts';
import { typedValue } from '../fields/field-value.ts';
import { badInput } from '../kernel/errors.ts';
import { checkAnswer } from './form-answer.ts';

const coordinate = z.number().min(-1e6).max(1e6).nullish();

/** Everything of a form's field but the project field it asks for; what is left out stays as it is. */
export const fieldProperties = {
  required: z.boolean().nullish(),
  minimum: z.string().nullish(),
  maximum: z.string().nullish(),
  possibleValues: z.array(z.string()).max(1_000).nullish(),
  defaultValues: z.array(z.string()).max(100).nullish(),
  pageIndex: z.int().min(0).max(9_999).nullish(),
  x: coordinate,
  y: coordinate,
  width: coordinate,
  fontSize: z.int().min(0).max(1_000).nullish(),
  columnLayout: z.boolean().nullish(),
};

export type FieldProperties = z.output<z.ZodObject<typeof fieldProperties>>;
type Rules = Pick<FormField, 'required' | 'minimum' | 'maximum' | 'possibleValues' | 'defaultValues'>;

export const NO_RULES: Rules = {
  required: false,
  minimum: null,
  maximum: null,
  possibleValues: [],
  defaultValues: [],
};

/**
 * The columns that follow from the traits and from what was there before; an empty minimum or maximum is none. Throws
 * BAD_USER_INPUT where they contradict each other or the project field: `at` is the field's place in the input.
 */
export function toFieldColumns(field: Field, before: Rules, given: FieldProperties, at: string) {
  const minimum = boundOf(field, given.minimum, before.minimum, `${at}.minimum`);
  const maximum = boundOf(field, given.maximum, before.maximum, `${at}.maximum`);
  if (minimum && maximum && minimum.gt(maximum))
    throw badInput(`${field.name}: its minimum is above its maximum`, `${at}.minimum`);
  const question = { ...field, required: false, minimum, maximum, possibleValues: [] };
  const possibleValues = checkAnswer(
    { ...question, multipleValues: true },
    [...new Set(given.possibleValues ?? before.possibleValues)],
    `${at}.possibleValues`,
  );
  const defaultValues = checkAnswer(
    { ...question, possibleValues },
    given.defaultValues ?? before.defaultValues,
    `${at}.defaultValues`,
  );
  const { pageIndex, x, y, width, fontSize, columnLayout } = given;
  return {
    ...defined({ pageIndex, x, y, width, fontSize, columnLayout }),
    required: given.required ?? before.required,
    minimum,
    maximum,
    possibleValues,
    defaultValues,
  };
}

type Look = Pick<FieldProperties, 'pageIndex' | 'x' | 'y' | 'width' | 'fontSize' | 'columnLayout'>;

const defined = (look: Look) =>
  Object.fromEntries(Object.entries(look).filter(([, value]) => value != null)) as {
    [Name in keyof Look]?: NonNullable<Look[Name]>;
  };

function boundOf(
  { name, type }: Field,
  given: string | null | undefined,
  before: Prisma.Decimal | null,
  at: string,
): Prisma.Decimal | null {
  if (given == null) return before;
  if (given === '') return null;
  if (type !== 'NUMBER' && type !== 'CURRENCY')
    throw badInput(`${name}: only numbers and amounts have a range`, at);
  return typedValue({ name, type }, given, at).number ?? null;
}
