import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { recordEvents } from '../kernel/audit.ts';
import { requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, forbidden } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { limitedOrganizations, organizationsWith } from '../kernel/viewer.ts';
import { lockNamedMembers, type Member } from '../organizations/member.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';

const whose = { organizationId: z.string(), memberId: z.string() };

const setting = z.strictObject({
  ...whose,
  toMemberId: z.string(),
  startsAt: z.date().nullish(),
  endsAt: z.date(),
});

/**
 * Sets who gets the votes on approvals that are requested of a member from `startsAt`, by default now, until `endsAt`; it
 * replaces the one before. Members set their own, OWNER and ADMIN those of others. Throws NOT_FOUND, FORBIDDEN, and
 * BAD_USER_INPUT for themselves, a guest, or a period without an end in the future. Not for applications.
 */
export function setSubstitute(ctx: Context, input: z.input<typeof setting>): Promise<Member> {
  const { organizationId, memberId, toMemberId, startsAt, endsAt } = parse(setting, input);
  requireNoApplication(ctx.viewer, 'substitutes');
  if (toMemberId === memberId) throw badValue('toMemberId', 'must be another member');
  return inTransaction(ctx.db, async (tx) => {
    const member = await lockOwnOrManaged(ctx, tx, organizationId, memberId);
    const [to] = await lockNamedMembers(ctx, tx, organizationId, { ids: [toMemberId] });
    requireFound('Member', [toMemberId], to ? [to] : [], () => 'toMemberId');
    if (to?.role === 'GUEST') throw badValue('toMemberId', 'a guest decides no approvals');
    const before = await readSubstitute(tx, member);
    await tx.prisma.substitute.deleteMany({ where: { organizationId, userId: member.userId } });
    const [period] = await tx.query<Period & { isPossible: boolean }>(sql`INSERT INTO substitutes
      (organization_id, user_id, to_id, starts_at, ends_at) VALUES (${organizationId}, ${member.userId}, ${to?.userId},
        coalesce(${startsAt ?? null}::timestamptz, now()), ${endsAt}::timestamptz)
      RETURNING to_id, starts_at, ends_at, (ends_at > now() AND ends_at > starts_at) AS is_possible`);
    if (!period?.isPossible) throw badValue('endsAt', 'must be in the future, and after startsAt');
    const after = asData(period);
    await recordEvents(ctx, tx, [event(member, 'set', { ...(before && { before: asData(before) }), after })]);
    return member;
  });
}

/** Ends the substitute of a member; without one it changes nothing. As setSubstitute otherwise; pending votes stay where they are. */
export function endSubstitute(ctx: Context, input: z.input<typeof ending>): Promise<Member> {
  const { organizationId, memberId } = parse(ending, input);
  requireNoApplication(ctx.viewer, 'substitutes');
  return inTransaction(ctx.db, async (tx) => {
    const member = await lockOwnOrManaged(ctx, tx, organizationId, memberId);
    const before = await readSubstitute(tx, member);
    await tx.prisma.substitute.deleteMany({ where: { organizationId, userId: member.userId } });
    if (before) await recordEvents(ctx, tx, [event(member, 'ended', { before: asData(before) })]);
    return member;
  });
}

const ending = z.strictObject(whose);

/** Locks the member against a second change. Throws NOT_FOUND; FORBIDDEN for others unless the viewer is OWNER or ADMIN. */
async function lockOwnOrManaged(ctx: Context, tx: Transaction, organizationId: string, memberId: string) {
  const ids = [memberId];
  const members = await lockNamedMembers(ctx, tx, organizationId, { ids }, 'NO KEY UPDATE');
  requireFound('Member', ids, members, () => 'memberId');
  const [member] = members as [Member];
  const isOwn = member.userId === ctx.viewer.userId;
  if (!isOwn || limitedOrganizations(ctx.viewer).includes(organizationId))
    await requireOrganizationAdmin(ctx, tx, organizationId);
  else if (!organizationsWith(ctx.viewer, 'OWNER', 'ADMIN', 'MEMBER').includes(organizationId))
    throw forbidden('A guest decides no approvals.', 'memberId');
  return member;
}

interface Period {
  toId: string;
  startsAt: Date;
  endsAt: Date;
}

/** The substitute that has not ended; undefined without one. */
async function readSubstitute(tx: Transaction, { organizationId, userId }: Member) {
  const [row] = await tx.query<Period>(sql`SELECT b.to_id, b.starts_at, b.ends_at FROM substitutes b
    WHERE b.organization_id = ${organizationId} AND b.user_id = ${userId} AND b.ends_at > now()`);
  return row;
}

const asData = ({ toId, startsAt, endsAt }: Period) => ({
  substituteId: toId,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
});

type Data = Partial<Record<'before' | 'after', ReturnType<typeof asData>>>;

const event = ({ organizationId, userId: subjectId }: Member, verb: 'set' | 'ended', data: Data) => ({
  ...{ organizationId, subjectId, data },
  kind: verb === 'set' ? 'member.substituteSet' : 'member.substituteEnded',
});
