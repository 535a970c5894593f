import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../../../scripts/chromium.ts';
import { databaseClock } from '../../../src/db/clock.ts';
import { signedUrlSecrets } from '../../../src/domain/keys/signing-key.ts';
import { createSignedUrls } from '../../../src/files/transfer/signed-url.ts';
import { listen } from '../../../src/http/listen.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { newApp } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { jobContext } from '../../support/jobs.ts';
import { inspectHtml } from '../../support/mail/inspect.ts';
import { mailService, startMailServer } from '../../support/mail/server.ts';
import { freePort } from '../../support/servers/processes.ts';
import { testStorage } from '../../support/storage.ts';
import { newPasskeyPage } from './passkey-page.ts';

const MAIL = { SMTP_URL: 'smtp://user:secret@127.0.0.1:25', MAIL_FROM: 'docs@docgraph.test' };

/** One browser, one server and one mail server, which all tests share that go from a mail to a page. */
export async function openMailStage() {
  const db = await testDatabase();
  const mailServer = await startMailServer();
  // Links in mails, and passkeys, belong to PUBLIC_URL, which has to name the port.
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const app = await newApp(db, { env: { ...MAIL, PUBLIC_URL: origin } });
  const server = await listen(app, { port, host: '127.0.0.1' });
  const browser = await launchChromium();
  const close = async () => {
    await browser.close();
    await server.close();
    await mailServer.stop();
  };
  return { db, origin, browser, mailServer, close };
}

export type MailStage = Awaited<ReturnType<typeof openMailStage>>;

async function sendAll({ db, origin, mailServer }: MailStage): Promise<void> {
  await db.prisma.mail.updateMany({ where: { state: 'WAITING' }, data: { nextAt: new Date(0) } });
  const mail = mailService(mailServer.settings);
  const signedUrls = createSignedUrls(await signedUrlSecrets(db), origin, await databaseClock(db));
  const storage = { ...(await testStorage(db)), signedUrls };
  while (await sendNextMail({ ...(await jobContext(db)), storage, mail }));
  mail.smtp.close();
}

/**
 * Sends all that is queued, and returns the newest mail to the address, or that of them with this subject, once, with its first link.
 * Mails that are due together arrive in any order.
 */
export async function mailTo(stage: MailStage, address: string, subject?: string) {
  await sendAll(stage);
  const all = stage.mailServer.arrived.splice(0);
  stage.mailServer.arrived.push(...all.filter(({ to }) => to[0] !== address));
  const isMeant = ({ to, mail }: (typeof all)[0]) =>
    to[0] === address && (!subject || mail.subject === subject);
  const newest = all.filter(isMeant).at(-1)?.mail;
  if (!newest) throw new Error(`no mail to ${address}`);
  return { subject: newest.subject, link: inspectHtml(newest.html ?? '').links[0] as string };
}

/** A page of the stage, in a browser with an authenticator that verifies its user. */
export const newMailPage = ({ browser, origin }: MailStage, look: BrowserContextOptions = {}) =>
  newPasskeyPage(browser, { ...look, baseURL: origin });

export async function signOut(page: Page): Promise<void> {
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.getByText('You are signed out.').waitFor();
}

/** Fills in the form of the page that asks for a sign-in. */
export async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
