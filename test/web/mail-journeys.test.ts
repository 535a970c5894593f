import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseClock } from '../../src/db/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { signedUrlSecrets } from '../../src/domain/keys/signing-key.ts';
import { inviteMembers } from '../../src/domain/membership/invitation-create.ts';
import { notifyNext } from '../../src/domain/notifications/notify.ts';
import { createSignedUrls } from '../../src/files/transfer/signed-url.ts';
import { listen } from '../../src/http/listen.ts';
import { rowHandlers } from '../../src/jobs/handlers.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { newApprovalWorld } from '../support/approvals.ts';
import { newApp, PASSWORD, withPassword } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { inspectHtml } from '../support/mail/inspect.ts';
import { mailService, startMailServer } from '../support/mail/server.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { newDocuments, testStorage } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PHONE = { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true };
const MAIL = { SMTP_URL: 'smtp://user:secret@127.0.0.1:25', MAIL_FROM: 'docs@docgraph.test' };
const FIRST = 'gravel lantern otter quilt';
const SECOND = 'copper walnut ribbon tundra';

const there = existsSync(EXECUTABLE);
if (!there) console.warn(`There is no ${EXECUTABLE}: the ways from a mail in a real browser are skipped.`);

/** A port that is free at this moment: links in mails begin with PUBLIC_URL, which has to name it. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

describe.runIf(there)('from a mail, in a real browser (needs Chromium)', { timeout: 180_000 }, () => {
  let db: Database;
  let origin: string;
  let browser: Browser;
  let server: Awaited<ReturnType<typeof listen>>;
  let mailServer: Awaited<ReturnType<typeof startMailServer>>;

  beforeAll(async () => {
    db = await testDatabase();
    mailServer = await startMailServer();
    const port = await freePort();
    origin = `http://localhost:${port}`;
    server = await listen(await newApp(db, { env: { ...MAIL, PUBLIC_URL: origin } }), {
      port,
      host: '127.0.0.1',
    });
    browser = await chromium.launch({
      executablePath: EXECUTABLE,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await mailServer?.stop();
  });

  beforeEach(() => dropJobs());

  /** Hands over all that is queued, and returns the newest mail to the address, as it arrived. */
  async function mailTo(address: string) {
    await db.prisma.mail.updateMany({ where: { state: 'WAITING' }, data: { nextAt: new Date(0) } });
    const mail = mailService(mailServer.settings);
    const signedUrls = createSignedUrls(await signedUrlSecrets(db), origin, await databaseClock(db));
    const storage = { ...(await testStorage(db)), signedUrls };
    while (await sendNextMail({ ...(await jobContext(db)), storage, mail }));
    mail.smtp.close();
    const arrived = mailServer.arrived.splice(0).filter(({ to }) => to[0] === address);
    const newest = arrived.at(-1)?.mail;
    if (!newest) throw new Error(`no mail to ${address}`);
    return { subject: newest.subject, link: inspectHtml(newest.html ?? '').links[0] as string };
  }

  /** A page that complains of nothing, in a browser with an authenticator that verifies its user. */
  async function newPage(look = {}): Promise<{ page: Page; strays: string[] }> {
    const context = await browser.newContext(look);
    const page = await context.newPage();
    const strays: string[] = [];
    page.on('pageerror', (error) => strays.push(error.message));
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) strays.push(message.text());
    });
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal' } as const;
    const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
    await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...abilities } });
    return { page, strays };
  }

  async function signOut(page: Page): Promise<void> {
    await page.goto(`${origin}/sign-in`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.getByText('You are signed out.').waitFor();
  }

  async function signIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  it('an invited person makes an account and a passkey, signs in with it, and sets a forgotten password', async () => {
    const { owner, organization } = await newWorld();
    const email = `invited-${owner.email}`;
    await inviteMembers(await owner.context(), {
      organizationId: organization.id,
      members: [{ email, role: 'MEMBER' }],
    });
    const invitation = await mailTo(email);
    expect(invitation.link.startsWith(`${origin}/invitations/`)).toBe(true);
    const { page, strays } = await newPage();
    await page.goto(invitation.link);
    await page.getByLabel('Your name').fill('Ada Invited');
    await page.getByLabel('Choose a password').fill(FIRST);
    await page.getByRole('button', { name: 'Create the account and accept' }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/invitations/'));

    await page.goto(`${origin}/account/second-factors`);
    await page.getByLabel('Name of the passkey').fill('My phone');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await signOut(page);

    await page.goto(`${origin}/sign-in?return_to=/account`);
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.waitForURL(`${origin}/account`);
    await page.getByText('Ada Invited').first().waitFor();
    await signOut(page);

    await page.goto(`${origin}/password/forgot`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('main').getByRole('button').click();
    await page.getByText('Look into your mails').waitFor();
    const reset = await mailTo(email);
    expect(reset.subject).toBe('Set a new password');
    await page.goto(reset.link);
    await page.getByLabel('New password').fill(SECOND);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await page.goto(`${origin}/sign-in?return_to=/account`);
    await signIn(page, email, FIRST);
    await page.getByRole('alert').waitFor();
    await page.goto(`${origin}/sign-in?return_to=/account`);
    await signIn(page, email, SECOND);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${origin}/account`);
    expect(strays).toEqual([]);
    const where = { organizationId: organization.id, user: { email } };
    expect(await db.prisma.membership.count({ where })).toBe(1);
  });

  it('a signer signs on a phone from the mailed link, and gets the sealed copy by mail', async () => {
    const world = await newSigningWorld();
    const email = `signer-${world.owner.email}`;
    const file = await readFile('prisma/seed/files/quay-site/contract.pdf');
    const documentId = await world.document('contract.pdf', file);
    const { sessionId } = await world.active([{ name: 'Anna Berg', email }], {}, documentId);
    const request = await mailTo(email);
    const { page, strays } = await newPage(PHONE);
    await page.goto(request.link);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const pad = page.getByRole('img', { name: /draw here/ });
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (!box) throw new Error('there is no pad');
    await page.mouse.move(box.x + 20, box.y + 40);
    await page.mouse.down();
    for (let step = 0; step < 20; step++) await page.mouse.move(box.x + 20 + step * 8, box.y + 40 + 2 * step);
    await page.mouse.up();
    await page.getByLabel(/I agree/).check();
    await page.getByRole('button', { name: 'Sign the document' }).tap();
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    while (await rowHandlers.seal(await jobContext(db)));
    const { state } = await db.prisma.signatureSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(state).toBe('COMPLETED');
    const copy = await mailTo(email);
    expect(copy.subject).toContain('Signed by all');
    await page.goto(copy.link);
    await page
      .getByRole('link', { name: /download/i })
      .first()
      .waitFor();
    expect(strays).toEqual([]);
  });

  it('an approver decides from the mail about it, after signing in', async () => {
    const { owner, project, ann, process, start, approvals } = await newApprovalWorld();
    await withPassword(db, ann);
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'permit.txt' }]);
    const itemId = document?.id as string;
    await start(await process({ name: 'Check', approvers: [ann] }), itemId);
    while (await notifyNext(db));
    const request = await mailTo(ann.email);
    expect(request.subject).toContain('Your approval is asked for');
    const { page, strays } = await newPage(PHONE);
    await page.goto(request.link);
    await signIn(page, ann.email, PASSWORD);
    await page.getByRole('heading', { name: /Approval of/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByLabel('Comment (optional)').fill('All there.');
    await page.getByRole('button', { name: 'Approve' }).tap();
    await page.getByText('It was approved.').waitFor();
    expect((await approvals(itemId)).map(({ state }) => state)).toEqual(['APPROVED']);
    expect(strays).toEqual([]);
  });
});
