import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma, SignatureRecipient } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { requireDistinct } from '../kernel/batch.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { email, name, text } from '../kernel/input.ts';
import { lockNamedMembers } from '../organizations/member.ts';
import type { LockedDocument } from './signature-command.ts';
import { findSigners, rank } from './signature-field.ts';
import type { SignatureSession } from './signature-session.ts';

/** The options of a session in the input of its update. accessCode: in clear; only its hash is stored. */
export const optionsInput = {
  design: z.enum(['CUSTOM', 'QUICK']).nullish(),
  useAccessCode: z.boolean().nullish(),
  accessCode: text(64)
    .refine((code) => code.trim().length >= 4, 'must have 4 characters or more')
    .nullish(),
  useCustomMail: z.boolean().nullish(),
  customSubject: text(255).nullish(),
  customBody: text(10_000).nullish(),
  placeInitials: z.boolean().nullish(),
  placeFullName: z.boolean().nullish(),
  placeEmail: z.boolean().nullish(),
  placeTitle: z.boolean().nullish(),
  /** When signing ends; with the last link if there is none. */
  expiresAt: z.date().nullish(),
};

type OptionsInput = z.output<z.ZodObject<typeof optionsInput>>;

/** optionsInput with the access code hashed. */
export type SessionOptions = Omit<OptionsInput, 'accessCode'> & { codeHash?: string };

/** The signers of a draft. id: of a signer that stays; rank: by default their position, from 1. */
export const recipientsInput = z
  .array(
    z.strictObject({
      id: z.string().nullish(),
      rank: rank.nullish(),
      email,
      fullName: name.nullish(),
    }),
  )
  .max(100, 'at most 100');

type NewRecipient = z.output<typeof recipientsInput>[number];

const DESIGNS = { CUSTOM: 'Custom', QUICK: 'Quick' } as const;

type Columns = Prisma.SignatureSessionUncheckedUpdateManyInput;

/**
 * Maps options to columns of a session; undefined without options. Throws BAD_USER_INPUT for a required code that is
 * missing.
 */
export function optionsToSave(session: SignatureSession, options: SessionOptions): Columns | undefined {
  const { design, useAccessCode, codeHash, useCustomMail, customSubject, customBody } = options;
  const { placeInitials, placeFullName, placeEmail, placeTitle, expiresAt: endsAt } = options;
  const columns = Object.entries({
    formDesignType: design && DESIGNS[design],
    useAccessCode,
    accessCode: useAccessCode === false ? '' : codeHash,
    useCustomMail,
    customSubject,
    customBody,
    placeInitials,
    placeFullName,
    placeEmail,
    placeTitle,
    endsAt,
  }).filter(([, value]) => value != null);
  if ((useAccessCode ?? session.useAccessCode) && !(codeHash ?? session.accessCode))
    throw badValue('accessCode', 'must be given where a code is asked for');
  if (columns.length === 0) return undefined;
  return Object.fromEntries(
    columns.map(([member, value]) => [member, value === '' ? null : value]),
  ) as Columns;
}

/**
 * Replaces the signers of a draft. Those given with an id are updated; `successors` maps ids from before a reset to the
 * copies. Fields of removed signers stay, unassigned. Throws NOT_FOUND for an id that is not a signer of the draft.
 */
export async function saveRecipients(
  target: LockedDocument,
  session: SignatureSession,
  recipients: readonly NewRecipient[],
  successors: ReadonlyMap<string, string>,
): Promise<void> {
  const existing = await findSigners(target.tx, session);
  const accounts = await findAccounts(target, recipients);
  const rows = recipients.map((each, index) => {
    const account = accounts.get(each.email);
    return {
      id: each.id ? (successors.get(each.id) ?? each.id) : newId('SignatureRecipient'),
      rank: each.rank ?? index + 1,
      email: each.email,
      fullName: each.fullName ?? account?.name ?? each.email,
      userId: account?.userId ?? null,
    };
  });
  requireRecipientIds(rows, recipients, existing);
  await removeRecipients(
    target,
    existing.filter(({ id }) => !rows.some((row) => row.id === id)),
  );
  const isExisting = ({ id }: { id: string }) => existing.some((each) => each.id === id);
  for (const { id, ...data } of rows.filter(isExisting))
    await target.tx.prisma.signatureRecipient.update({ where: { id }, data });
  const { organizationId, id: sessionId } = session;
  await target.tx.prisma.signatureRecipient.createMany({
    data: rows.filter((row) => !isExisting(row)).map((row) => ({ ...row, organizationId, sessionId })),
  });
}

/** Returns the members of the organization with these addresses, by address: they may sign with their accounts. */
async function findAccounts({ ctx, tx, document }: LockedDocument, recipients: readonly NewRecipient[]) {
  const emails = [...new Set(recipients.map(({ email }) => email))];
  const members = await lockNamedMembers(ctx, tx, document.organizationId, { emails });
  return new Map(members.map((member) => [member.email, member]));
}

function requireRecipientIds(
  rows: readonly { id: string }[],
  recipients: readonly NewRecipient[],
  existing: readonly SignatureRecipient[],
): void {
  const ids = rows.map(({ id }) => id);
  requireDistinct(ids, (index) => `recipients.${index}.id`, 'an id is given twice');
  const unknown = rows.findIndex(
    ({ id }, index) => recipients[index]?.id && !existing.some((each) => each.id === id),
  );
  if (unknown >= 0) throw notFound('Signature recipient', `recipients.${unknown}.id`);
}

async function removeRecipients(
  { tx }: LockedDocument,
  removed: readonly SignatureRecipient[],
): Promise<void> {
  const ids = removed.map(({ id }) => id);
  await tx.query(sql`UPDATE signature_fields SET recipient_id = NULL
    WHERE organization_id = ${removed[0]?.organizationId ?? ''} AND recipient_id = ANY(${ids}) RETURNING id`);
  await tx.prisma.signatureRecipient.deleteMany({ where: { id: { in: ids } } });
}
