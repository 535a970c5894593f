import { z } from 'zod';
import type { Transaction } from '../db/database.ts';
import { type Field, type FieldType, Prisma } from '../generated/prisma/client.ts';
import { newId } from '../lib/id.ts';
import { badInput, notFound } from './errors.ts';
import { keyOf } from './input.ts';

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
  for (const field of fields)
    if (field.choices)
      await requireChoices(
        tx,
        field,
        documents.map(({ values }) => values),
      );
  for (const { documentId, values } of documents) {
    const rows = values.flatMap((each) => rowsOf(byId.get(each.fieldId), documentId, each));
    const fieldIds = values.map(({ fieldId }) => fieldId);
    await tx.prisma.documentFieldValue.deleteMany({ where: { documentId, fieldId: { in: fieldIds } } });
    await tx.prisma.documentFieldValue.createMany({ data: rows });
  }
}

/** Every value is among the choices, or the field takes new ones; these it keeps if it is so set. */
async function requireChoices(tx: Transaction, field: Field, documents: FieldValues[][]): Promise<void> {
  const { organizationId, id: fieldId } = field;
  const wanted = documents.flatMap((values) => chosen(field, values));
  const offered = await tx.prisma.fieldListItem.findMany({
    where: { organizationId, fieldId, value: { in: wanted.map(({ value }) => value) } },
  });
  const fresh = wanted.filter(
    ({ value, parents }) =>
      !offered.some((each) => each.value === value && parents.includes(each.parentValue)),
  );
  if (fresh.length === 0) return;
  if (!field.newChoicesAllowed)
    throw badInput(`${field.name}: ${fresh[0]?.value} is not among its choices`, 'fieldValues');
  if (!field.newChoicesSaved) return;
  const { _max } = await tx.prisma.fieldListItem.aggregate({
    where: { organizationId, fieldId },
    _max: { rank: true },
  });
  await tx.prisma.fieldListItem.createMany({
    data: fresh.map(({ value, parents }, index) => ({
      organizationId,
      id: newId('FieldListItem'),
      fieldId,
      value,
      parentValue: parents[0] ?? '',
      rank: (_max.rank ?? -1) + 1 + index,
    })),
    skipDuplicates: true,
  });
}

/** The values of the field in one document, each with those of the parent field under which it is offered. */
function chosen({ id, parentId, choicesDependOnParent }: Field, values: FieldValues[]) {
  const parents = choicesDependOnParent ? values.find(({ fieldId }) => fieldId === parentId)?.values : [''];
  return values
    .filter(({ fieldId }) => fieldId === id)
    .flatMap((each) => each.values)
    .filter((value) => value !== '')
    .map((value) => ({ value, parents: parents ?? [] }));
}

function rowsOf(field: Field | undefined, documentId: string, { values }: FieldValues) {
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
      ...typed(field, value),
    }));
}

interface TypedValue {
  text: string;
  textKey: string;
  number?: Prisma.Decimal;
  date?: Date;
}

function typed({ name, type }: Field, value: string): TypedValue {
  const result = [...value].length <= 10_000 && PARSERS[type](value);
  if (!result) throw badInput(`${name}: ${EXPECTED[type]}`, 'fieldValues');
  return result;
}

const plain = (text: string) => ({ text, textKey: keyOf(text) });

const NUMBER = /^[+-]?\d{1,30}(?:\.\d{1,30})?$/;

function number(value: string): TypedValue | undefined {
  return NUMBER.test(value) ? { ...plain(value), number: new Prisma.Decimal(value) } : undefined;
}

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

function date(value: string): TypedValue | undefined {
  const time = new Date(value);
  return DATE.test(value) && !Number.isNaN(time.getTime()) ? { ...plain(value), date: time } : undefined;
}

const PARSERS: Record<FieldType, (value: string) => TypedValue | undefined> = {
  TEXT: plain,
  NUMBER: number,
  CURRENCY: number,
  DATE: date,
  BOOL: (value) => (/^(?:true|false)$/i.test(value) ? plain(value.toLowerCase()) : undefined),
};

const EXPECTED: Record<FieldType, string> = {
  TEXT: 'at most 10,000 characters',
  NUMBER: 'must be a number such as 1234.5',
  CURRENCY: 'must be an amount such as 1234.50',
  DATE: 'must be a date such as 2026-01-31, or a time with its offset',
  BOOL: 'must be true or false',
};
