import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { SignatureField, SignatureFieldType } from '../../generated/prisma/client.ts';
import { parseDayOrTime } from '../../lib/calendar-time.ts';
import { shownEmail } from '../../lib/text/shown-email.ts';
import { findTextFaults } from '../../pdf/font/text-faults.js';
import type { Context } from '../kernel/context.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { email, name, parse, text } from '../kernel/input.ts';
import { MAX_FIELDS } from '../signatures/signature-field.ts';
import { type DrawingInput, isDataUrl, normalizeDrawings } from './sign-image.ts';
import type { Signing } from './signing.ts';

/** Characters of a value: a drawn signature is an image in a data URL. */
const MAX_VALUE_LENGTH = 500_000;

/** The values that a signer enters, by field. */
export const valuesInput = z
  .array(z.strictObject({ fieldId: z.string(), value: text(MAX_VALUE_LENGTH) }))
  .max(MAX_FIELDS, `at most ${MAX_FIELDS}`);

export type Values = z.output<typeof valuesInput>;

/**
 * Returns the values with the drawings in signature and initials fields converted for storage. Called before the
 * transaction, since images are decoded and fonts read. Throws BAD_USER_INPUT for a value that cannot be drawn or shows
 * nothing, and Busy.
 */
export async function withDrawableValues(
  { db }: Context,
  { organizationId, id: recipientId }: Signing,
  values: Values,
): Promise<Values> {
  const drawn = await db.prisma.signatureField.findMany({
    where: { organizationId, recipientId, type: { in: ['SIGNATURE', 'INITIALS'] } },
    select: { id: true },
  });
  const ids = new Set(drawn.map(({ id }) => id));
  const drawings = values.flatMap(({ fieldId, value }, index) =>
    ids.has(fieldId) ? [{ fieldId, value, at: `values.${index}.value` }] : [],
  );
  const texts = values.flatMap(({ fieldId, value }, index) =>
    ids.has(fieldId) && isDataUrl(value) ? [] : [{ value, at: `values.${index}.value` }],
  );
  await requireDrawableText(texts);
  const stored = await normalizeDrawings(drawings, organizationId);
  const byField = new Map(drawings.map(({ fieldId }, index) => [fieldId, stored[index] as string]));
  return values.map(({ fieldId, value }) => ({ fieldId, value: byField.get(fieldId) ?? value }));
}

/** Throws BAD_USER_INPUT for the first of these values whose text cannot be drawn as it is written. */
async function requireDrawableText(values: readonly DrawingInput[]): Promise<void> {
  const faults = await findTextFaults(values.map(({ value }) => value));
  for (const { value, at } of values) {
    const fault = faults.get(value);
    if (fault !== undefined) throw badValue(at, fault);
  }
}

const date = z
  .string()
  .refine((value) => parseDayOrTime(value) !== undefined, 'must be a date such as 2031-03-04');

const SCHEMAS: Record<SignatureFieldType, z.ZodType<string>> = {
  SIGNATURE: z.string(),
  INITIALS: z.string(),
  FULL_NAME: name,
  EMAIL: email.transform(shownEmail),
  TITLE: name,
  DATE: date,
  TEXT: text(10_000),
};

/** Values of required fields that the server fills in when the signer leaves them empty. */
const DEFAULTS: Partial<Record<SignatureFieldType, (signing: Signing, day: string) => string>> = {
  FULL_NAME: ({ fullName }) => fullName,
  EMAIL: ({ email }) => shownEmail(email),
  DATE: (_, day) => day,
};

type ResolvedValue = Pick<SignatureField, 'id' | 'value'>;

/**
 * Returns every field of the signer with its checked value, null for an empty optional one. `day`: for dates that are left
 * to the server. Throws NOT_FOUND for a field of somebody else, BAD_USER_INPUT for a value that is invalid, repeated or missing.
 */
export async function resolveValues(
  tx: Transaction,
  signing: Signing,
  values: Values,
  day: string,
): Promise<ResolvedValue[]> {
  const fields = await tx.prisma.signatureField.findMany({
    where: { organizationId: signing.organizationId, recipientId: signing.id },
    orderBy: [{ rank: 'asc' }, { id: 'asc' }],
  });
  const submitted = new Map<string, { text: string; at: string }>();
  for (const [index, { fieldId, value }] of values.entries()) {
    const at = `values.${index}`;
    if (!fields.some(({ id }) => id === fieldId)) throw notFound('Signature field', `${at}.fieldId`);
    if (submitted.has(fieldId)) throw badValue(`${at}.fieldId`, 'is given twice');
    submitted.set(fieldId, { text: value, at: `${at}.value` });
  }
  return fields.map((field) => ({
    id: field.id,
    value: resolveValue(field, { signing, day }, submitted.get(field.id)),
  }));
}

function resolveValue(
  { id, type, label, required }: SignatureField,
  { signing, day }: { signing: Signing; day: string },
  submitted: { text: string; at: string } | undefined,
): string | null {
  if (submitted && submitted.text.trim() !== '') {
    return parse(SCHEMAS[type], submitted.text, submitted.at);
  }
  if (!required) return null;
  const value = DEFAULTS[type]?.(signing, day);
  if (value === undefined) throw badValue('values', `${label ?? type} (${id}) must be filled in`);
  return value;
}

/** Whether a submitted text would be stored as the value that a completed field has. */
export const isSameValue = ({ type, value }: SignatureField, text: string): boolean =>
  text.trim() === ''
    ? value === null || DEFAULTS[type] !== undefined
    : SCHEMAS[type].safeParse(text).data === value;

/** Returns the error text of each invalid field by its id, for a form page; resolveValues throws the first one only. */
export function findValueErrors(
  fields: readonly SignatureField[],
  values: ReadonlyMap<string, string>,
): Map<string, string> {
  const errors = new Map<string, string>();
  for (const { id, type, required } of fields) {
    const value = values.get(id) ?? '';
    const error =
      value.trim() === ''
        ? required && !DEFAULTS[type] && 'must be filled in'
        : SCHEMAS[type].safeParse(value).error?.issues[0]?.message;
    if (error) errors.set(id, error);
  }
  return errors;
}

/** Stores the values and the time of completion. A field that was completed before is not changed. */
export const writeValues = (tx: Transaction, fields: readonly ResolvedValue[]): Promise<unknown> =>
  tx.query(sql`UPDATE signature_fields w SET value = x.value, completed_at = ${new Date()}::timestamptz
    FROM unnest(${sql.texts(fields.map(({ id }) => id))}, ${sql.texts(fields.map(({ value }) => value))}) AS x(id, value)
    WHERE w.id = x.id AND w.completed_at IS NULL RETURNING w.id`);
