import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { SECOND } from '../../lib/time.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { visibleMails } from '../access/access-mail.ts';
import { dueNow } from '../due-work/round-robin.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import { findMails, type Mail } from './mail.ts';
import { rulesOf } from './mail-kind.ts';

const retry = z.strictObject({ mailId: z.string() });

/** The states in which the mail server has not accepted the mail, and is not asked again. */
const UNSENT = ['REFUSED', 'GIVEN_UP', 'NOT_CONFIGURED', 'UNCERTAIN'];

/**
 * Queues a mail again that was not sent, or perhaps not; its lifetime starts again. Throws NOT_FOUND for all but owners and
 * admins of the organization, CONFLICT for a mail in another state.
 */
export function retryMail(ctx: Context, input: z.input<typeof retry>): Promise<Mail> {
  const { mailId } = parse(retry, input);
  requireNoApplication(ctx.viewer, 'mails');
  return inTransaction(ctx.db, async (tx) => {
    const [before] = await findMails(ctx, [mailId], tx);
    if (!before) throw notFound('Mail', 'mailId');
    const { organizationId, kind, toEmail } = before;
    const queued =
      await tx.query(sql`UPDATE ${tables.mails.from} SET state = 'WAITING', queued_at = now(), next_at = ${dueNow},
        expires_at = now() + make_interval(secs => ${rulesOf(kind).lifetime / SECOND}), ended_at = NULL, message = NULL,
        created_by_id = ${ctx.viewer.userId}
      WHERE m.id = ${mailId} AND ${visibleMails(ctx.viewer, tables.mails)} AND m.state::text = ANY(${UNSENT}) RETURNING m.id`);
    if (queued.length === 0) throw conflict('The mail was sent, or is still to be sent.', 'mailId');
    const data = { kind, to: toEmail };
    await recordEvents(ctx, tx, [
      { organizationId, projectId: null, subjectId: mailId, kind: 'mail.retried', data },
    ]);
    tx.wake('mail');
    return (await findMails(ctx, [mailId], tx))[0] as Mail;
  });
}
