import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium } from '../../scripts/chromium.ts';
import { notifyNext } from '../../src/domain/notifications/notify.ts';
import { handlers } from '../../src/jobs/handlers.ts';
import { newApprovalWorld } from '../support/approvals.ts';
import { PASSWORD, withPassword } from '../support/browser.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { newDocuments } from '../support/storage.ts';
import { accountJourney } from './chromium/account-journey.ts';
import { enterPassword, type MailStage, mailTo, newMailPage, openMailStage } from './chromium/mail-stage.ts';
import { requiredFactorJourney } from './chromium/required-factor-journey.ts';

const PHONE = { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true };

describe.runIf(hasChromium)('from a mail, in a real browser (needs Chromium)', { timeout: 180_000 }, () => {
  let stage: MailStage;

  beforeAll(async () => {
    stage = await openMailStage();
  }, 120_000);

  afterAll(() => stage?.close());

  beforeEach(() => dropJobs());

  accountJourney(() => stage);
  requiredFactorJourney(() => stage);

  it('a signer signs on a phone from the mailed link, and gets the sealed copy by mail', async () => {
    const world = await newSigningWorld();
    const email = `signer-${world.owner.email}`;
    const file = await readFile('prisma/seed/files/quay-site/contract.pdf');
    const documentId = await world.document('contract.pdf', file);
    const { sessionId } = await world.active([{ name: 'Anna Berg', email }], {}, documentId);
    const request = await mailTo(stage, email);
    const { page, strays } = await newMailPage(stage, PHONE);
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
    while (await handlers.seal(await jobContext(stage.db)));
    const { state } = await stage.db.prisma.signatureSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(state).toBe('COMPLETED');
    const copy = await mailTo(stage, email);
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
    await withPassword(stage.db, ann);
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'permit.txt' }]);
    const itemId = document?.id as string;
    await start(await process({ name: 'Check', approvers: [ann] }), itemId);
    while (await notifyNext(stage.db));
    const request = await mailTo(stage, ann.email);
    expect(request.subject).toContain('Your approval is asked for');
    const { page, strays } = await newMailPage(stage, PHONE);
    await page.goto(request.link);
    await enterPassword(page, ann.email, PASSWORD);
    await page.getByRole('heading', { name: /Approval of/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByLabel('Comment (optional)').fill('All there.');
    await page.getByRole('button', { name: 'Approve' }).tap();
    await page.getByText('You have approved it.').waitFor();
    expect((await approvals(itemId)).map(({ state }) => state)).toEqual(['APPROVED']);
    expect(strays).toEqual([]);
  });
});
