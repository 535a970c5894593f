import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { PASSWORD, withPassword } from '../../support/browser.ts';
import { codesOf, withApp } from '../../support/factors.ts';
import { newMember, newWorld } from '../../support/world.ts';
import { enterPassword, type MailStage, mailTo, newMailPage, signOut } from './mail-stage.ts';

/** The bytes of base32 without padding (RFC 4648 §6), as an authenticator app reads a key. */
function bytesOf(key: string): Uint8Array {
  const bits = [...key].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter));
  const text = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(text.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code of your authenticator app').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function enterRecoveryCode(page: Page, code: string): Promise<void> {
  await page.getByText('Use a recovery code').click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Use this code' }).click();
}

/** Requires a second factor of all members, on the page of the settings. */
async function requireFactor(page: Page, path: string, without: string): Promise<void> {
  await page.goto(`${path}/settings`);
  await page.getByRole('link', { name: 'Require a second factor' }).click();
  await page.getByText(without).waitFor();
  await page.getByLabel(/shall not use the organization/).check();
  await page.getByRole('button', { name: 'Require a second factor' }).click();
  await page.getByText('Members need a second factor from now on.').waitFor();
}

/** Adds an authenticator app by the key that is shown. Returns its codes, and the recovery codes. */
async function addApp(page: Page, db: MailStage['db']) {
  await page.getByRole('link', { name: 'Add an app' }).click();
  const key = (await page.locator('code.key').innerText()).replace(/\s/g, '');
  const code = codesOf(db, bytesOf(key));
  await page.getByLabel('Code of your authenticator app').fill(await code(-1));
  await page.getByRole('button', { name: 'Add the app' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  const recoveryCodes = await page.locator('.codes code').allInnerTexts();
  await page.getByRole('link', { name: 'I have stored them' }).click();
  return { code, recoveryCodes };
}

async function askedForFactor(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in');
  await enterPassword(page, email, PASSWORD);
  await page.waitForURL(/\/sign-in\/second-factor/);
}

/** From the rule of an owner to the recovery code of a member. */
export function requiredFactorJourney(stageOf: () => MailStage): void {
  it('an owner requires a second factor, and a member is led to set one up, and uses each kind of code', async () => {
    const stage = stageOf();
    const { owner, organization, db } = await newWorld();
    const member = await withPassword(db, await newMember(db, organization.id, 'MEMBER'));
    const ownerApp = await withApp(db, await withPassword(db, owner));
    const path = `/console/${organization.id}`;

    const { page: ownerPage, strays } = await newMailPage(stage);
    await askedForFactor(ownerPage, owner.email);
    await enterCode(ownerPage, await ownerApp.code());
    await ownerPage.waitForURL('/console');
    await requireFactor(ownerPage, path, member.email);

    const { page, strays: more } = await newMailPage(stage);
    await page.goto(`/sign-in?return_to=${path}`);
    await enterPassword(page, member.email, PASSWORD);
    await page.waitForURL('/console');
    await page.getByRole('heading', { name: 'Add a second factor to your account' }).waitFor();
    const { subject, link } = await mailTo(stage, member.email);
    expect(subject).toContain('requires a second factor');
    await page.goto(link);
    const { code, recoveryCodes } = await addApp(page, db);
    await page.goto(path);
    await page.getByRole('heading', { name: organization.name }).first().waitFor();
    await signOut(page);

    await askedForFactor(page, member.email);
    await enterCode(page, await code());
    await page.waitForURL('/console');
    await signOut(page);

    await askedForFactor(page, member.email);
    await enterRecoveryCode(page, recoveryCodes[0] ?? '');
    await page.waitForURL('/console');
    await signOut(page);

    await askedForFactor(page, member.email);
    await enterRecoveryCode(page, recoveryCodes[0] ?? '');
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in/second-factor');
    expect([...strays, ...more]).toEqual([]);
  });
}
