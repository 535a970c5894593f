import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { type Field, type FieldType, Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { hasLongMarks } from '../../lib/normalize.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { normalizedKey } from '../kernel/input.ts';

export const fieldValues = z
  .array(z.strictObject({ fieldId: z.string(), values: z.array(z.string()).max(100) }))
  .max(200);

export interface FieldValues {
  fieldId: string;
  /** As text: numbers in decimal notation, dates in ISO 8601, `true` or `false`. */
  values: string[];
}

/** Sets these fields of documents of one project, each to exactly its values; other fields stay as they are. */
export async function setFieldValues(
  tx: Transaction,
  projectId: string,
  documents: { documentId: string; values: FieldValues[] }[],
): Promise<void> {
  const wanted = [...new Set(documents.flatMap(({ values }) => values.map(({ fieldId }) => fieldId)))];
  if (wanted.length === 0) return;
  const fields = await tx.prisma.field.findMany({ where: { id: { in: wanted }, projectId } });
  const byId = new Map(fields.map((field) => [field.id, field]));
  await keepChoices(
    tx,
    await newChoices(
      tx,
      fields,
      documents.map(({ values }) => values),
    ),
  );
  for (const { documentId, values } of documents) {
    const rows = values.flatMap((each) => rowsOf(byId.get(each.fieldId), documentId, each));
    const fieldIds = values.map(({ fieldId }) => fieldId);
    await tx.prisma.documentFieldValue.deleteMany({ where: { documentId, fieldId: { in: fieldIds } } });
    await tx.prisma.documentFieldValue.createMany({ data: rows });
  }
}

/** A value that a field which offers choices does not offer, and for which value of the parent field it was given. */
export interface NewChoice {
  field: Field;
  value: string;
  parentValue: string;
  /** Which of the documents, or filled-in forms, has it. */
  index: number;
}

/** What is among no choices, of the fields that offer some. `several`: the values of each document, or filled-in form. */
export async function newChoices(
  tx: Transaction,
  fields: readonly Field[],
  several: readonly FieldValues[][],
): Promise<NewChoice[]> {
  const chosen = fields
    .filter(({ choices }) => choices)
    .flatMap((field) => several.flatMap((values, index) => chosenOf(field, values, index)));
  if (chosen.length === 0) return [];
  const offered = await tx.prisma.fieldListItem.findMany({
    where: {
      fieldId: { in: [...new Set(chosen.map(({ field }) => field.id))] },
      value: { in: [...new Set(chosen.map(({ value }) => value))] },
    },
  });
  const key = (fieldId: string, value: string) => JSON.stringify([fieldId, value]);
  const parentValues = new Map<string, string[]>();
  for (const { fieldId, value, parentValue } of offered)
    parentValues.set(key(fieldId, value), [...(parentValues.get(key(fieldId, value)) ?? []), parentValue]);
  return chosen.filter(({ field, value, offeredFor }) => {
    const found = parentValues.get(key(field.id, value));
    return !found?.some((parentValue) => !offeredFor || offeredFor.includes(parentValue));
  });
}

/** The values of the field, and for which values of the parent field they may be offered: null for any. */
function chosenOf(field: Field, values: FieldValues[], index: number) {
  const given = (id: string | null) =>
    values.filter(({ fieldId }) => fieldId === id).flatMap((each) => each.values);
  const parents = field.choicesDependOnParent ? given(field.parentId) : [];
  return given(field.id)
    .filter((value) => value !== '')
    .map((value) => ({
      field,
      value,
      index,
      parentValue: parents[0] ?? '',
      offeredFor: field.choicesDependOnParent ? ['', ...parents] : null,
    }));
}

/** Throws BAD_USER_INPUT where a field takes only its choices; keeps the new ones of those that are so set. */
async function keepChoices(tx: Transaction, fresh: NewChoice[]): Promise<void> {
  for (const { field, value } of fresh)
    if (!field.newChoicesAllowed)
      throw badInput(`${field.name}: ${value} is not among its choices`, 'fieldValues');
  for (const field of new Set(fresh.map((each) => each.field)))
    if (field.newChoicesSaved)
      await appendChoices(
        tx,
        field,
        fresh.filter((each) => each.field === field),
      );
}

/** Puts choices behind those that the field has; what is there already stays where it is. */
export async function appendChoices(
  tx: Transaction,
  { organizationId, id: fieldId }: Field,
  choices: readonly { value: string; parentValue?: string | null }[],
): Promise<void> {
  const { _max } = await tx.prisma.fieldListItem.aggregate({
    where: { organizationId, fieldId },
    _max: { rank: true },
  });
  await tx.prisma.fieldListItem.createMany({
    data: choices.map(({ value, parentValue }, index) => ({
      organizationId,
      id: newId('FieldListItem'),
      fieldId,
      value,
      parentValue: parentValue ?? '',
      rank: (_max.rank ?? -1) + 1 + index,
    })),
    skipDuplicates: true,
  });
}

export function rowsOf(field: Field | undefined, documentId: string, { values }: FieldValues) {
  if (!field?.onDocuments) throw notFound('Field', 'fieldValues');
  if (values.length > 1 && !field.multipleValues)
    throw badInput(`${field.name}: takes one value`, 'fieldValues');
  return values
    .filter((value) => value !== '')
    .map((value, position) => ({
      organizationId: field.organizationId,
      documentId,
      fieldId: field.id,
      position,
      ...typedValue(field, value, 'fieldValues'),
    }));
}

export interface TypedValue {
  text: string;
  textKey: string;
  number?: Prisma.Decimal;
  date?: Date;
}

/** The value as its type has it. Throws BAD_USER_INPUT that names the field. */
export function typedValue(
  { name, type }: Pick<Field, 'name' | 'type'>,
  value: string,
  at: string,
): TypedValue {
  const result = value.length <= 20_000 && [...value].length <= 10_000 && PARSERS[type](value);
  if (!result) throw badInput(`${name}: ${EXPECTED[type]}`, at);
  return result;
}

const plain = (text: string) => ({ text, textKey: normalizedKey(text) });

const NUMBER = /^[+-]?\d{1,30}(?:\.\d{1,30})?$/;

function number(value: string): TypedValue | undefined {
  return NUMBER.test(value) ? { ...plain(value), number: new Prisma.Decimal(value) } : undefined;
}

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

function date(value: string): TypedValue | undefined {
  const time = new Date(value);
  const isDate = DATE.test(value) && !Number.isNaN(time.getTime()) && isDay(value.slice(0, 10));
  return isDate ? { ...plain(value), date: time } : undefined;
}

/** JavaScript reads 30 February as 2 March. */
const isDay = (day: string): boolean => new Date(day).toISOString().startsWith(day);

const PARSERS: Record<FieldType, (value: string) => TypedValue | undefined> = {
  TEXT: (value) => (hasLongMarks(value) ? undefined : plain(value)),
  NUMBER: number,
  CURRENCY: number,
  DATE: date,
  BOOL: (value) => (/^(?:true|false)$/i.test(value) ? plain(value.toLowerCase()) : undefined),
};

const EXPECTED: Record<FieldType, string> = {
  TEXT: 'at most 10,000 characters, and 30 combining marks in a row',
  NUMBER: 'must be a number such as 1234.5',
  CURRENCY: 'must be an amount such as 1234.50',
  DATE: 'must be a date such as 2026-01-31, or a time with its offset',
  BOOL: 'must be true or false',
};
