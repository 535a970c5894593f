import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma, SignatureRecipient } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { email, name, text } from '../kernel/input.ts';
import { lockMembersByEmail } from '../organizations/member.ts';
import type { LockedDocument } from './signature-command.ts';
import { findSigners, rank } from './signature-field-change.ts';
import type { SignatureSession } from './signature-session.ts';

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
};

type OptionsInput = z.output<z.ZodObject<typeof optionsInput>>;

export type SessionOptions = Omit<OptionsInput, 'accessCode'> & { codeHash?: string };

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

/** What the given options come to in the row of a session; undefined when none was given. */
export function optionsToSave(session: SignatureSession, wish: SessionOptions): Columns | undefined {
  const { design, useAccessCode, codeHash, useCustomMail, customSubject, customBody } = wish;
  const { placeInitials, placeFullName, placeEmail, placeTitle } = wish;
  const given = Object.entries({
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
  }).filter(([, value]) => value != null);
  if ((useAccessCode ?? session.useAccessCode) && !(codeHash ?? session.accessCode))
    throw badInput('accessCode: must be given where a code is asked for', 'accessCode');
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map(([member, value]) => [member, value === '' ? null : value])) as Columns;
}

/**
 * Gives a draft these signers. Those that name an id stay, and change; of `successors`, what the id was before a reset.
 * The fields of who is left out stay, for nobody. Throws NOT_FOUND for an id that is none of its signers.
 */
export async function saveRecipients(
  desk: LockedDocument,
  session: SignatureSession,
  wanted: readonly NewRecipient[],
  successors: ReadonlyMap<string, string>,
): Promise<void> {
  const known = await findSigners(desk.tx, session);
  const people = await accountsOf(desk, wanted);
  const rows = wanted.map((each, index) => {
    const person = people.get(each.email);
    return {
      id: each.id ? (successors.get(each.id) ?? each.id) : newId('SignatureRecipient'),
      rank: each.rank ?? index + 1,
      email: each.email,
      fullName: each.fullName ?? person?.name ?? each.email,
      userId: person?.userId ?? null,
    };
  });
  requireKnown(rows, wanted, known);
  await drop(
    desk,
    known.filter(({ id }) => !rows.some((row) => row.id === id)),
  );
  const isKnown = ({ id }: { id: string }) => known.some((each) => each.id === id);
  for (const { id, ...data } of rows.filter(isKnown))
    await desk.tx.prisma.signatureRecipient.update({ where: { id }, data });
  const { organizationId, id: sessionId } = session;
  await desk.tx.prisma.signatureRecipient.createMany({
    data: rows.filter((row) => !isKnown(row)).map((row) => ({ ...row, organizationId, sessionId })),
  });
}

/** Who has an account in the organization, by address: they may sign with it. */
async function accountsOf({ ctx, tx, document }: LockedDocument, wanted: readonly NewRecipient[]) {
  const emails = [...new Set(wanted.map(({ email }) => email))];
  const members = await lockMembersByEmail(ctx, tx, document.organizationId, emails);
  return new Map(members.map((member) => [member.email, member]));
}

function requireKnown(
  rows: readonly { id: string }[],
  wanted: readonly NewRecipient[],
  known: readonly SignatureRecipient[],
): void {
  if (new Set(rows.map(({ id }) => id)).size < rows.length)
    throw badInput('recipients: an id is given twice', 'recipients');
  const stray = rows.findIndex(({ id }, index) => wanted[index]?.id && !known.some((each) => each.id === id));
  if (stray >= 0) throw notFound('Signature recipient', `recipients.${stray}.id`);
}

async function drop({ tx }: LockedDocument, gone: readonly SignatureRecipient[]): Promise<void> {
  const ids = gone.map(({ id }) => id);
  await tx.query(sql`UPDATE signature_fields SET recipient_id = NULL
    WHERE organization_id = ${gone[0]?.organizationId ?? ''} AND recipient_id = ANY(${ids}) RETURNING id`);
  await tx.prisma.signatureRecipient.deleteMany({ where: { id: { in: ids } } });
}
