import type { Database } from '../../../src/db/database.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { jobContext } from '../jobs.ts';
import { mailService, type startMailServer } from './server.ts';

/** The settings with which pages offer what needs a mail server. */
export const SENDS_MAIL = { SMTP_URL: 'smtp://user:secret@127.0.0.1:25', MAIL_FROM: 'docs@docgraph.test' };

export interface Delivered {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Hands over all due mails, and returns what arrived. */
export async function deliver(
  db: Database,
  server: Awaited<ReturnType<typeof startMailServer>>,
): Promise<Delivered[]> {
  const mail = mailService(server.settings);
  const job = { ...(await jobContext(db)), mail };
  while (await sendNextMail(job));
  mail.smtp.close();
  return server.arrived.splice(0).map(({ to, mail: { subject = '', text = '', html = '' } }) => ({
    ...{ to: to[0] ?? '', subject, text, html },
  }));
}

/** The path of the first link in a text that begins with this path. */
export const linkIn = (text: string | undefined, path: string): string =>
  new RegExp(`http://docgraph\\.test(${path}[\\w/-]+)`).exec(text ?? '')?.[1] ?? '';
