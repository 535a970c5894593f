import type { MailLimits } from '../domain/mails/mail-admission.ts';
import { beginHandOver, type ClaimedMail, claimMail } from '../domain/mails/mail-claim.ts';
import type { MailKind } from '../domain/mails/mail-kind.ts';
import { type MailOutcome, recordMailOutcome, releaseMail } from '../domain/mails/mail-outcome.ts';
import { compose } from '../mail/compose.tsx';
import { TEMPLATES } from '../mail/templates.ts';
import type { JobContext } from './context.ts';

/** Nothing leaves the server, so nothing is limited. */
const NO_LIMITS: MailLimits = {
  mailsToAddress: 0,
  mailsOfOrganization: 0,
  mailsOfPerson: 0,
  mailsAtStart: 100,
};

/** Hands over the next due mail; false if none is due, or the mail server has just failed. */
export async function sendNextMail(job: JobContext): Promise<boolean> {
  const { db, mail: service, limits } = job;
  if (service.target === 'SMTP' && service.smtp.isPaused) return false;
  const claim = await claimMail(db, service.target === 'SMTP' ? limits : NO_LIMITS);
  if (claim?.mail) await attempt(job, claim.mail);
  return claim !== undefined;
}

/** After an unexpected error before the text was transmitted, the mail is released and the error thrown. */
async function attempt(job: JobContext, mail: ClaimedMail): Promise<void> {
  try {
    const outcome = await outcomeOf(job, mail);
    if (!outcome) return;
    await recordMailOutcome(job.db, mail, outcome);
    job.countMail?.(outcome.result);
  } catch (error) {
    // If this fails too, the mail can be claimed again when its lease ends.
    await releaseMail(job.db, mail).catch(() => {});
    throw error;
  }
}

/** Undefined when the claim has ended meanwhile. */
async function outcomeOf(job: JobContext, mail: ClaimedMail): Promise<MailOutcome | undefined> {
  const { mail: service } = job;
  if (mail.isExpired) return { result: 'CANCELLED', answer: 'It was not sent in time.' };
  if (service.target === 'NONE') return { result: 'NOT_CONFIGURED', answer: 'No mail server is configured.' };
  const letter = await TEMPLATES[mail.kind as MailKind](job, mail);
  if (!letter) return { result: 'CANCELLED', answer: 'What it was about has ended.' };
  const { id, kind, toEmail: to, createdAt: date } = mail;
  const message = await compose(service.sender, { id, kind, to, date, letter });
  if (service.target === 'OUTBOX')
    return { result: 'STORED', message: job.storage.vault.seal(message.toString('latin1'), id) };
  return handOver(job, service, mail, message);
}

async function handOver(
  { db, log }: JobContext,
  { smtp, sender }: Extract<JobContext['mail'], { target: 'SMTP' }>,
  mail: ClaimedMail,
  message: Buffer,
): Promise<MailOutcome | undefined> {
  const begin = () => beginHandOver(db, mail);
  const handed = await smtp.handOver({ from: sender.address, to: mail.toEmail, message, begin });
  if (handed.result === 'DEFERRED' && handed.isServerFailure)
    log.error({ answer: handed.answer }, 'the mail server failed');
  const { result, answer } = handed;
  return result === 'LOST' ? undefined : { result, answer };
}
