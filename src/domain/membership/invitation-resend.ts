import { z } from 'zod';
import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { MINUTE } from '../../lib/time.ts';
import { idsOf, type PathOf, pathOfMissing, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { findInvitations, type Invitation } from '../organizations/invitation.ts';
import { inOrderOf } from '../projects/project.ts';
import { recordInvitations } from './invitation-change.ts';
import { queueInvitationMails } from './invitation-mail.ts';
import { lockMembers, requireManager } from './member-guard.ts';

/** How often an invitation is sent again at most, and how long after it was sent at the earliest. */
export const MAX_RESENDS = 5;
const RESEND_AFTER = 10 * MINUTE;

const resend = z.strictObject({ organizationId: z.string(), invitationIds: z.array(z.string()) });

/**
 * Sends invitations again, expired ones too, all or nothing: each gets a new link, which replaces those before, and its full
 * lifetime. The viewer answers for them from then on, and so does the application that acts for the viewer. Requires OWNER or
 * ADMIN, and OWNER for an owner's. Throws NOT_FOUND, CONFLICT for one that was sent too often or just now.
 */
export function resendInvitations(ctx: Context, input: z.input<typeof resend>): Promise<Invitation[]> {
  const { organizationId, invitationIds } = parse(resend, input);
  requireBatchSize(invitationIds, ctx.limits.batchMax, 'invitationIds');
  const ids = [...new Set(invitationIds)];
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockMembers(ctx, tx, organizationId, []);
    const before = (await findInvitations(ctx, ids, tx)).filter(
      (each) => each.organizationId === organizationId,
    );
    const pathOf = positionIn('invitationIds', invitationIds);
    requireFound('Invitation', ids, before, pathOf);
    requireManager(
      locked,
      before.map(({ role }) => role),
      (index) => pathOf(before[index]?.id as string),
    );
    await renew(ctx, tx, ids, pathOf);
    const sent = inOrderOf(
      await findInvitations(ctx, ids, tx),
      ids.map((id) => ({ id })),
    );
    await queueInvitationMails(
      tx,
      sent.map((each) => ({ ...each, createdById: ctx.viewer.userId })),
    );
    await recordInvitations(ctx, tx, sent, 'invitation.resent', ({ email, role }) => ({
      after: { email, role },
    }));
    return sent;
  });
}

/** Throws CONFLICT unless each may be sent again now; of concurrent calls, one passes. */
async function renew(
  { viewer, limits }: Context,
  tx: Transaction,
  ids: readonly string[],
  pathOf: PathOf,
): Promise<void> {
  const renewed = await tx.query<{
    id: string;
  }>(sql`UPDATE invitations SET resends = resends + 1, sent_at = now(),
      expires_at = ${nowPlus(limits.invitation)}, resent_by_id = ${viewer.userId},
      client_id = ${viewer.clientId ?? null}
    WHERE id = ANY(${ids}) AND resends < ${MAX_RESENDS} AND sent_at <= ${nowPlus(-RESEND_AFTER)} RETURNING id`);
  const at = pathOfMissing(ids, idsOf(renewed), pathOf);
  if (at === undefined) return;
  const text = `An invitation is sent again at most ${MAX_RESENDS} times, and ${RESEND_AFTER / MINUTE} minutes apart.`;
  throw conflict(text, at);
}
