import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { newWorld, type Person } from '../../support/world.ts';
import { enterPassword, type MailStage, mailTo, newMailPage, signOut } from './mail-stage.ts';

const FIRST = 'gravel lantern otter quilt';
const SECOND = 'copper walnut ribbon tundra';

/** Invites an address, and opens the account by the link of the mail. */
async function acceptInvitation(stage: MailStage, page: Page, owner: Person, organizationId: string) {
  const email = `invited-${owner.email}`;
  const members = [{ email, role: 'MEMBER' as const }];
  await inviteMembers(await owner.context(), { organizationId, members });
  const invitation = await mailTo(stage, email);
  expect(invitation.link.startsWith(`${stage.origin}/invitations/`)).toBe(true);
  await page.goto(invitation.link);
  await page.getByLabel('Your name').fill('Ada Invited');
  await page.getByLabel('Choose a password').fill(FIRST);
  await page.getByRole('button', { name: 'Create the account and accept' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/invitations/'));
  return email;
}

/** Adds a passkey; the recovery codes are shown. */
async function addPasskey(page: Page): Promise<void> {
  await page.goto('/account/second-factors');
  await page.getByLabel('Name of the passkey').fill('My phone');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
}

async function signInByPasskey(page: Page): Promise<void> {
  await page.goto('/sign-in?return_to=/account');
  await page.getByRole('button', { name: 'Use a passkey instead' }).click();
  await page.waitForURL('/account');
}

async function setPassword(page: Page, link: string, password: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('heading', { name: 'The password is set' }).waitFor();
}

async function replaceForgottenPassword(stage: MailStage, page: Page, email: string): Promise<void> {
  await page.goto('/password/forgot');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('main').getByRole('button').click();
  await page.getByText('Look into your mails').waitFor();
  const reset = await mailTo(stage, email, 'Set a new password');
  await setPassword(page, reset.link, SECOND);
}

/** Asks for another address, and confirms it by the link in the mail to it. */
async function changeAddress(stage: MailStage, page: Page, newEmail: string): Promise<void> {
  await page.goto('/account');
  await page.getByLabel('New address').fill(newEmail);
  await page.locator('#emailPassword').fill(SECOND);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await page.getByText(`A mail was sent to ${newEmail}`).waitFor();
  const confirmation = await mailTo(stage, newEmail);
  expect(confirmation.subject).toBe('Confirm your new e-mail address');
  await page.goto(confirmation.link);
  await page.getByRole('button', { name: 'Confirm the address' }).click();
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
}

/** Takes the change back by the link in the mail to the old address, in another browser. */
async function undoChange(stage: MailStage, oldEmail: string): Promise<void> {
  const notice = await mailTo(stage, oldEmail);
  expect(notice.subject).toBe('Your e-mail address was changed');
  const { page, strays } = await newMailPage(stage);
  await page.goto(notice.link);
  await page.getByRole('button', { name: 'Take the change back' }).click();
  await page.getByRole('heading', { name: 'Your address stays as it was' }).waitFor();
  const href = await page.getByRole('link', { name: 'Set a new password' }).getAttribute('href');
  await setPassword(page, href ?? '', FIRST);
  expect(strays).toEqual([]);
}

/** An account from the invitation to the way back after somebody else has changed its address. */
export function accountJourney(stageOf: () => MailStage): void {
  it('an invited person gets a passkey, replaces a forgotten password, changes the address and takes that back', async () => {
    const stage = stageOf();
    const { owner, organization } = await newWorld();
    const { page, strays } = await newMailPage(stage);
    const email = await acceptInvitation(stage, page, owner, organization.id);
    await addPasskey(page);
    await signOut(page);
    await signInByPasskey(page);
    await page.getByText('Ada Invited').first().waitFor();
    await signOut(page);

    await replaceForgottenPassword(stage, page, email);
    await page.goto('/sign-in?return_to=/account');
    await enterPassword(page, email, FIRST);
    await page.getByRole('alert').waitFor();
    await page.goto('/sign-in?return_to=/account');
    await enterPassword(page, email, SECOND);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('/account');

    const newEmail = `new-${email}`;
    await changeAddress(stage, page, newEmail);
    await page.goto('/account');
    await page.getByText(newEmail).first().waitFor();
    await undoChange(stage, email);
    await page.goto('/account');
    await page.waitForURL('/sign-in?return_to=%2Faccount');
    await signInByPasskey(page);
    await page.getByText(email).first().waitFor();
    expect(await page.getByText(newEmail).count()).toBe(0);
    expect(strays).toEqual([]);
    const where = { organizationId: organization.id, user: { email } };
    expect(await stage.db.prisma.membership.count({ where })).toBe(1);
  });
}
