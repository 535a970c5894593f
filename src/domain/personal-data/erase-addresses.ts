import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents, serverActor } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { withdrawAssignments } from '../membership/assignment.ts';
import { IN_EACH } from './holding.ts';
import { ERASED_NAME, erasedEmail, type PersonState } from './person.ts';
import type { Tally } from './tally.ts';

/** Deletes or replaces the address of an erased account, and what is like it, where rows have it outside of events. */
export async function eraseAddresses(ctx: Context, person: PersonState, tally: Tally): Promise<void> {
  if (person.address) await eraseAssignments(ctx, person.address);
  await inTransaction(ctx.db, async (tx) => {
    const { userId, address } = person;
    const replaced = erasedEmail(userId);
    await tx.query(sql`UPDATE tasks SET assignee_email = ${replaced}
      WHERE assignee_email <> ${replaced} AND (assignee_id = ${userId} OR (${IN_EACH} AND assignee_email = ${address}))`);
    tally.add(
      'formSubmission',
      await count(
        tx,
        sql`UPDATE form_submissions SET ip_address = NULL
      WHERE submitted_by_id = ${userId} AND ip_address IS NOT NULL`,
      ),
    );
    await eraseSigners(tx, person, tally);
    tally.add('mail', await deleteMails(tx, person));
    if (address) await deleteInvitations(ctx, tx, person, tally);
    if (address) await eraseInHistory(tx, address);
  });
}

/** The states of items stay, without the address. */
const eraseInHistory = (tx: Transaction, address: string): Promise<unknown> =>
  tx.query(sql`UPDATE state_people SET email = NULL WHERE ${IN_EACH} AND email = ${address}`);

const count = async (tx: Transaction, statement: Sql): Promise<number> =>
  (await tx.query(sql`${statement} RETURNING 1 AS changed`)).length;

/** In organizations of which the person was no member: in the others, the end of the membership withdrew them. */
async function eraseAssignments(ctx: Context, address: string): Promise<void> {
  const organizations = await ctx.db.query<{ organizationId: string }>(sql`
    SELECT organization_id FROM folder_assignments WHERE email = ${address}
    UNION SELECT organization_id FROM document_assignments WHERE email = ${address}
    UNION SELECT organization_id FROM form_shares WHERE email = ${address}
    UNION SELECT organization_id FROM tasks WHERE assignee_email = ${address} AND state = 'OPEN' ORDER BY 1`);
  for (const { organizationId } of organizations)
    await inTransaction(ctx.db, (tx) => withdrawAssignments(ctx, tx, { organizationId }, [address]));
}

/** Of sessions that never began or were stopped. */
async function eraseSigners(tx: Transaction, { userId, address }: PersonState, tally: Tally): Promise<void> {
  const signers = sql`(r.user_id = ${userId} OR r.email = ${address}) AND EXISTS (SELECT FROM signature_sessions g
    WHERE g.organization_id = r.organization_id AND g.id = r.session_id AND g.state IN ('DRAFT', 'STOPPED'))`;
  await tx.query(sql`UPDATE signature_fields f SET value = NULL
    WHERE f.value IS NOT NULL AND (f.organization_id, f.recipient_id) IN (
      SELECT r.organization_id, r.id FROM signature_recipients r WHERE ${signers})`);
  const replaced = await count(
    tx,
    sql`UPDATE signature_recipients r SET email = ${erasedEmail(userId)},
    full_name = ${ERASED_NAME}, ip_address = NULL, user_agent = NULL, time_zone = NULL, declined_reason = NULL
    WHERE ${signers} AND r.email <> ${erasedEmail(userId)}`,
  );
  tally.add('signatureRecipient', replaced);
}

/** Requests to sign stay until they are sent, as the signature is still needed; and so does the notice of the erasure. */
const deleteMails = (tx: Transaction, { userId, address, erasedAt }: PersonState): Promise<number> =>
  count(
    tx,
    sql`DELETE FROM mails WHERE kind <> 'ACCOUNT_ERASED' AND created_at <= ${erasedAt} AND (to_user_id = ${userId} OR (to_email = ${address}
    AND NOT (state IN ('WAITING', 'SENDING') AND kind IN ('SIGNATURE_REQUEST', 'SIGNATURE_REMINDER', 'SIGNATURE_COMPLETED'))))`,
  );

/** Called last, as it records events. */
async function deleteInvitations(
  ctx: Context,
  tx: Transaction,
  { address, erasedAt }: PersonState,
  tally: Tally,
): Promise<void> {
  const invitations = await tx.query<{ organizationId: string; id: string; role: string }>(
    sql`DELETE FROM invitations WHERE email = ${address} AND created_at <= ${erasedAt} RETURNING organization_id, id, role::text AS role`,
  );
  tally.add('invitation', invitations.length);
  await recordEvents(
    serverActor(ctx.requestId),
    tx,
    invitations.map(({ organizationId, id: subjectId, role }) => ({
      ...{ organizationId, subjectId, kind: 'invitation.withdrawn', data: { before: { role } } },
    })),
  );
}
