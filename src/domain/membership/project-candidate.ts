import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { ProjectRole } from '../../generated/prisma/enums.ts';
import { visibleInvitations } from '../access/access-person.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { memberEmail } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import type { Invitation } from '../organizations/invitation.ts';
import { lockNamedMembers, type Member } from '../organizations/member.ts';

/** A person to add to a project: exactly one member of `person` names them. */
export const candidate = z.strictObject({
  person: z.strictObject({
    email: memberEmail.nullish(),
    userId: z.string().nullish(),
    organizationMemberId: z.string().nullish(),
    invitationId: z.string().nullish(),
  }),
  role: z.enum(ProjectRole),
});

const KEYS = ['email', 'userId', 'organizationMemberId', 'invitationId'] as const;
type Key = (typeof KEYS)[number];

/** A person of the input as found: a member of the organization, or somebody invited to it. */
export interface Candidate {
  index: number;
  role: ProjectRole;
  member?: Member;
  invitation?: Pick<Invitation, 'id' | 'email' | 'role'>;
}

interface Reference {
  key: Key;
  value: string;
}

function referenceOf({ person }: z.output<typeof candidate>, index: number): Reference {
  const named = KEYS.filter((key) => person[key] != null);
  const [key] = named;
  const at = `members.${index}.person`;
  if (!key || named.length > 1) throw badValue(at, `must have one of ${KEYS.join(', ')}`);
  return { key, value: person[key] as string };
}

/**
 * Locks and returns the people of the input that the viewer may see, in input order: members against removal and changes
 * of role, invitations against being answered. Members are read again if an invitation was just accepted. `others` are
 * locked too, in the same order. Throws NOT_FOUND, BAD_USER_INPUT for a person who is named twice.
 */
export async function lockCandidates(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  items: readonly z.output<typeof candidate>[],
  others: readonly string[] = [],
): Promise<Candidate[]> {
  const references = items.map(referenceOf);
  const values = (key: Key) => references.filter((each) => each.key === key).map(({ value }) => value);
  const named = {
    emails: values('email'),
    userIds: [...values('userId'), ...others],
    ids: values('organizationMemberId'),
  };
  const find = (members: readonly Member[], { key, value }: Reference) =>
    members.find((member) => value === { ...member, organizationMemberId: member.id, invitationId: '' }[key]);
  let members = await lockNamedMembers(ctx, tx, organizationId, named, 'NO KEY UPDATE');
  const missing = named.emails.filter((each) => !members.some((member) => member.email === each));
  const invitations = await lockInvitations(ctx, tx, organizationId, missing, values('invitationId'));
  if (missing.some((each) => !invitations.some((invitation) => invitation.email === each)))
    members = await lockNamedMembers(ctx, tx, organizationId, named, 'NO KEY UPDATE');
  const candidates = references.map((reference, index): Candidate => {
    const { key, value } = reference;
    const member = find(members, reference);
    const invitation = invitations.find(
      (each) => value === { email: each.email, invitationId: each.id }[key as 'email'],
    );
    if (!member && !invitation)
      throw notFound(key === 'invitationId' ? 'Invitation' : 'Member', `members.${index}.person.${key}`);
    const { role } = items[index] as { role: ProjectRole };
    return { index, role, ...(member ? { member } : { invitation }) };
  });
  requireDistinct(candidates, references);
  return candidates;
}

function requireDistinct(candidates: readonly Candidate[], references: readonly Reference[]): void {
  const ids = candidates.map(({ member, invitation }) => member?.id ?? invitation?.id);
  const index = ids.findIndex((id, position) => ids.indexOf(id) < position);
  if (index < 0) return;
  const at = `members.${index}.person.${references[index]?.key}`;
  throw badValue(at, 'is named twice');
}

/** Locks visible invitations, so that an acceptance waits and then finds what was added to it. */
async function lockInvitations(
  { viewer }: Context,
  tx: Transaction,
  organizationId: string,
  emails: readonly string[],
  ids: readonly string[],
): Promise<Pick<Invitation, 'id' | 'email' | 'role'>[]> {
  if (emails.length + ids.length === 0) return [];
  return tx.query(sql`SELECT i.id, i.email, i.role FROM ${tables.invitations.from} WHERE i.organization_id = ${organizationId}
    AND (i.email = ANY(${emails}) OR i.id ${sql.any(ids)}) AND ${visibleInvitations(viewer, tables.invitations)}
    ORDER BY i.id FOR NO KEY UPDATE OF i`);
}
