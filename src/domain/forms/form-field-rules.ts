import { z } from 'zod';
import type { Field, FormField, Prisma } from '../../generated/prisma/client.ts';
import { typedValue } from '../fields/field-value.ts';
import { badValue } from '../kernel/errors.ts';
import { checkAnswer, type TextFaults } from './form-answer.ts';

const coordinate = z.number().min(-1e6).max(1e6).nullish();

/** Input of a form's field besides its project field; members that are absent or null keep their value. */
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

/** The rules of a new field. */
export const NO_RULES: Rules = {
  required: false,
  minimum: null,
  maximum: null,
  possibleValues: [],
  defaultValues: [],
};

/** What a form offers is checked when it is chosen. */
const NO_FAULTS: TextFaults = new Map();

/**
 * Maps properties of a field, and the rules before the change, to columns. An empty minimum or maximum removes it. at:
 * path of the field in the input. Throws BAD_USER_INPUT if they contradict each other or the project field.
 */
export function toFieldColumns(field: Field, before: Rules, properties: FieldProperties, at: string) {
  const minimum = resolveBound(field, properties.minimum, before.minimum, `${at}.minimum`);
  const maximum = resolveBound(field, properties.maximum, before.maximum, `${at}.maximum`);
  if (minimum && maximum && minimum.gt(maximum))
    throw badValue(`${at}.minimum`, 'its minimum is above its maximum', { subject: field.name });
  const question = { ...field, required: false, minimum, maximum, possibleValues: [] };
  const possibleValues = checkAnswer(
    { ...question, multipleValues: true },
    [...new Set(properties.possibleValues ?? before.possibleValues)],
    { faults: NO_FAULTS, at: `${at}.possibleValues` },
  );
  const defaultValues = checkAnswer(
    { ...question, possibleValues },
    properties.defaultValues ?? before.defaultValues,
    { faults: NO_FAULTS, at: `${at}.defaultValues` },
  );
  const { pageIndex, x, y, width, fontSize, columnLayout } = properties;
  return {
    ...withoutNulls({ pageIndex, x, y, width, fontSize, columnLayout }),
    required: properties.required ?? before.required,
    minimum,
    maximum,
    possibleValues,
    defaultValues,
  };
}

type Layout = Pick<FieldProperties, 'pageIndex' | 'x' | 'y' | 'width' | 'fontSize' | 'columnLayout'>;

const withoutNulls = (layout: Layout) =>
  Object.fromEntries(Object.entries(layout).filter(([, value]) => value != null)) as {
    [Name in keyof Layout]?: NonNullable<Layout[Name]>;
  };

function resolveBound(
  { name, type }: Field,
  bound: string | null | undefined,
  before: Prisma.Decimal | null,
  at: string,
): Prisma.Decimal | null {
  if (bound == null) return before;
  if (bound === '') return null;
  if (type !== 'NUMBER' && type !== 'CURRENCY')
    throw badValue(at, 'only numbers and amounts have a range', { subject: name });
  return typedValue({ name, type }, bound, at).number ?? null;
}
