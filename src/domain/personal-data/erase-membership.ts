import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Membership } from '../../generated/prisma/client.ts';
import { serverActor } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { endMemberships } from '../membership/member-change.ts';
import type { Holding } from './holding.ts';
import { countHeld } from './holding-rows.ts';
import { ORGANIZATION_HOLDINGS } from './organization-holdings.ts';
import type { PersonState } from './person.ts';
import type { Tally } from './tally.ts';

/** Ends the memberships of an erased account as if the person had left, one organization after the other. */
export async function endErasedMemberships(ctx: Context, person: PersonState, tally: Tally): Promise<void> {
  for (const holding of ORGANIZATION_HOLDINGS.filter(endsWithMembership))
    tally.add(holding.kind, await countHeld(ctx.db, holding, person));
  const { userId } = person;
  const memberships = await ctx.db.prisma.membership.findMany({ where: { userId }, orderBy: { id: 'asc' } });
  for (const membership of memberships) await endMembership(ctx, person, membership);
}

/** What is assigned, the end of the memberships withdraws, and the next step in other organizations. */
const endsWithMembership = ({ end, kind }: Holding): boolean =>
  end === 'MEMBERSHIP' || kind === 'task' || (end === 'ADDRESS' && kind !== 'invitation');

/** The event has the role alone, and is the server's. */
const endMembership = (ctx: Context, { email }: PersonState, { id, organizationId }: Membership) =>
  inTransaction(ctx.db, async (tx) => {
    await tx.query(sql`SELECT m.id FROM memberships m
      WHERE m.organization_id = ${organizationId} AND m.id = ${id} FOR UPDATE`);
    const membership = await tx.prisma.membership.findFirst({ where: { organizationId, id } });
    if (!membership) return;
    const actor = serverActor(ctx.requestId);
    const before = () => ({ role: membership.role });
    const members = [{ ...membership, name: ctx.viewer.name, email }];
    await endMemberships(ctx, tx, { organizationId, members, actor, before });
  });
