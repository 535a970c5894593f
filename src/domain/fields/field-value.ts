import { isDeepStrictEqual } from 'node:util';
import { Decimal } from '@prisma/client-runtime-utils';
import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import type { Field } from '../../generated/prisma/client.ts';
import type { FieldType } from '../../generated/prisma/enums.ts';
import { parseDayOrTime } from '../../lib/calendar-time.ts';
import { hasLongMarks } from '../../lib/text/normalize.ts';
import { type PathOf, requireFound } from '../kernel/batch.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { normalizedKey } from '../kernel/input.ts';
import { appendChoices } from './choice-append.ts';

export const fieldValues = z
  .array(z.strictObject({ fieldId: z.string(), values: z.array(z.string()).max(100) }))
  .max(200)
  .superRefine((all, { addIssue }) => {
    const named = new Set<string>();
    for (const [index, { fieldId }] of all.entries()) {
      if (named.has(fieldId))
        addIssue({ code: 'custom', message: 'is named twice', path: [index, 'fieldId'] });
      named.add(fieldId);
    }
  });

export type FieldValues = {
  fieldId: string;
  /** As text: numbers in decimal notation, dates in ISO 8601, `true` or `false`. */
  values: string[];
};

/** The paths of the values of each field in the list at `at`. */
export const valuePath =
  (at: string, values: readonly FieldValues[]): PathOf =>
  (id) =>
    `${at}.${values.findIndex(({ fieldId }) => fieldId === id)}`;

/** Replaces the values of the listed fields on documents of one project; other fields keep theirs. */
export async function setFieldValues(
  tx: Transaction,
  projectId: string,
  documents: { documentId: string; values: FieldValues[]; pathOf: PathOf }[],
): Promise<void> {
  const allFieldIds = [...new Set(documents.flatMap(({ values }) => values.map(({ fieldId }) => fieldId)))];
  if (allFieldIds.length === 0) return;
  const fields = await tx.prisma.field.findMany({ where: { id: { in: allFieldIds }, projectId } });
  const byId = new Map(fields.map((field) => [field.id, field]));
  await saveNewChoices(
    tx,
    await findNewChoices(
      tx,
      fields,
      documents.map(({ values }) => values),
    ),
    documents.map(({ pathOf }) => pathOf),
  );
  for (const { documentId, values, pathOf } of documents) {
    const rows = values.flatMap((each) => toValueRows(byId.get(each.fieldId), documentId, each, pathOf));
    const fieldIds = values.map(({ fieldId }) => fieldId);
    await tx.prisma.documentFieldValue.deleteMany({ where: { documentId, fieldId: { in: fieldIds } } });
    await tx.prisma.documentFieldValue.createMany({ data: rows });
  }
}

/** Values that replace others. */
export type ChangedValues = FieldValues & { valuesBefore: string[]; isSensitive: boolean };

/**
 * The values that differ from those of the document: clients send whole records back, and what they left as it was must
 * neither fail nor appear in events. Throws NOT_FOUND for a field that documents of the project do not carry.
 */
export async function changedFieldValues(
  tx: Transaction,
  { id: documentId, projectId }: { id: string; projectId: string },
  values: FieldValues[],
  pathOf: PathOf,
): Promise<ChangedValues[]> {
  const fieldIds = [...new Set(values.map(({ fieldId }) => fieldId))];
  const among = { in: fieldIds };
  const fields = await tx.prisma.field.findMany({
    where: { id: among, projectId, onDocuments: true },
    select: { id: true, sensitive: true },
  });
  requireFound('Field', fieldIds, fields, (fieldId) => `${pathOf(fieldId)}.fieldId`);
  const stored = await tx.prisma.documentFieldValue.findMany({
    where: { documentId, fieldId: among },
    orderBy: { position: 'asc' },
  });
  const sensitive = new Set(fields.filter((field) => field.sensitive).map(({ id }) => id));
  return values
    .map(({ fieldId, values: next }) => ({
      fieldId,
      values: next,
      valuesBefore: stored.filter((row) => row.fieldId === fieldId).map(({ text }) => text),
      isSensitive: sensitive.has(fieldId),
    }))
    .filter(({ values: next, valuesBefore }) => {
      const given = next.filter((value) => value !== '');
      return !isDeepStrictEqual(valuesBefore, given);
    });
}

/** Values of fields before and after, for an event. */
export const valueChanges = (changed: readonly ChangedValues[]) => ({
  before: changed.map(({ fieldId, valuesBefore }) => ({ fieldId, values: valuesBefore })),
  after: changed.map(({ fieldId, values }) => ({ fieldId, values: values.filter((value) => value !== '') })),
});

/** A value that is not among the choices of its field, with the value of the parent field in the same input. */
export interface NewChoice {
  field: Field;
  value: string;
  parentValue: string;
  /** Position of the document or filled-in form that has it. */
  index: number;
}

/**
 * Finds the values that are not among the choices of their fields; fields without choices are skipped. `valueSets`: the
 * values of each document or filled-in form.
 */
export async function findNewChoices(
  tx: Transaction,
  fields: readonly Field[],
  valueSets: readonly FieldValues[][],
): Promise<NewChoice[]> {
  const chosen = fields
    .filter(({ choices }) => choices)
    .flatMap((field) => valueSets.flatMap((values, index) => chosenValues(field, values, index)));
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
    const offeredParents = parentValues.get(key(field.id, value));
    return !offeredParents?.some((parentValue) => !offeredFor || offeredFor.includes(parentValue));
  });
}

/** The values of the field. `offeredFor`: the parent values for which a choice may be defined; null for any. */
function chosenValues(field: Field, values: FieldValues[], index: number) {
  const valuesOf = (id: string | null) =>
    values.filter(({ fieldId }) => fieldId === id).flatMap((each) => each.values);
  const parents = field.choicesDependOnParent ? valuesOf(field.parentId) : [];
  return valuesOf(field.id)
    .filter((value) => value !== '')
    .map((value) => ({
      field,
      value,
      index,
      parentValue: parents[0] ?? '',
      offeredFor: field.choicesDependOnParent ? ['', ...parents] : null,
    }));
}

/** Throws BAD_USER_INPUT if a field does not allow new choices; saves the new choices of fields set to do so. */
async function saveNewChoices(
  tx: Transaction,
  choices: NewChoice[],
  paths: readonly PathOf[],
): Promise<void> {
  for (const { field, value, index } of choices)
    if (!field.newChoicesAllowed)
      throw badValue(`${paths[index]?.(field.id)}.values`, `${value} is not among its choices`, {
        subject: field.name,
      });
  for (const field of new Set(choices.map((each) => each.field)))
    if (field.newChoicesSaved)
      await appendChoices(
        tx,
        field,
        choices.filter((each) => each.field === field),
      );
}

/** The rows to store for one field of a document. Throws NOT_FOUND, or BAD_USER_INPUT for values that do not fit the field. */
export function toValueRows(
  field: Field | undefined,
  documentId: string,
  { fieldId, values }: FieldValues,
  pathOf: PathOf,
) {
  const at = pathOf(fieldId);
  if (!field?.onDocuments) throw notFound('Field', `${at}.fieldId`);
  if (values.length > 1 && !field.multipleValues)
    throw badValue(`${at}.values`, 'takes one value', { subject: field.name });
  return values
    .filter((value) => value !== '')
    .map((value, position) => ({
      organizationId: field.organizationId,
      documentId,
      fieldId: field.id,
      position,
      ...typedValue(field, value, `${at}.values`),
    }));
}

export interface TypedValue {
  text: string;
  textKey: string;
  number?: Decimal;
  date?: Date;
}

/** Parses the value by the type of its field. Throws BAD_USER_INPUT with the name of the field. */
export function typedValue(
  { name, type }: Pick<Field, 'name' | 'type'>,
  value: string,
  at: string,
): TypedValue {
  const result = value.length <= 20_000 && [...value].length <= 10_000 && PARSERS[type](value);
  if (!result) throw badValue(at, EXPECTED[type], { subject: name });
  return result;
}

const textColumns = (text: string) => ({ text, textKey: normalizedKey(text) });

const NUMBER = /^[+-]?\d{1,30}(?:\.\d{1,30})?$/;

function parseNumber(value: string): TypedValue | undefined {
  return NUMBER.test(value) ? { ...textColumns(value), number: new Decimal(value) } : undefined;
}

function parseDate(value: string): TypedValue | undefined {
  const date = parseDayOrTime(value);
  return date && { ...textColumns(value), date };
}

const PARSERS: Record<FieldType, (value: string) => TypedValue | undefined> = {
  TEXT: (value) => (hasLongMarks(value) ? undefined : textColumns(value)),
  NUMBER: parseNumber,
  CURRENCY: parseNumber,
  DATE: parseDate,
  BOOL: (value) => (/^(?:true|false)$/i.test(value) ? textColumns(value.toLowerCase()) : undefined),
};

const EXPECTED: Record<FieldType, string> = {
  TEXT: 'at most 10,000 characters, and 30 combining marks in a row',
  NUMBER: 'must be a number such as 1234.5',
  CURRENCY: 'must be an amount such as 1234.50',
  DATE: 'must be a date such as 2026-01-31, or a time with its offset',
  BOOL: 'must be true or false',
};
