import { describe, expect, it } from 'vitest';
import { createOrganization } from '../../src/domain/organizations/organization.ts';
import { HOLDINGS } from '../../src/domain/personal-data/erasure-plan.ts';
import { fromNow, MINUTE } from '../../src/lib/time.ts';
import { KIND_NAMES } from '../../src/web/account/sections/erasure-kinds.ts';
import { Browser, hidden, newAccount, newApp } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';

async function scene() {
  const db = await testDatabase();
  const app = await newApp(db);
  const account = await newAccount(db);
  const browser = new Browser(app);
  await browser.signIn(account);
  const makeStale = () =>
    db.prisma.signIn.updateMany({
      where: { userId: account.id },
      data: { authenticatedAt: fromNow(-11 * MINUTE) },
    });
  const find = () => db.prisma.user.findUniqueOrThrow({ where: { id: account.id } });
  return { db, app, account, browser, makeStale, find };
}

describe('/account/data.jsonl', () => {
  it('is a file with all records, for who has proved who they are', async () => {
    const { account, browser } = await scene();
    expect((await browser.open('/account')).text).toContain('href="/account/data.jsonl"');
    const { status, headers, text } = await browser.open('/account/data.jsonl');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="data.jsonl"');
    expect(headers.get('cache-control')).toBe('no-store');
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records[0]).toMatchObject({ kind: 'account', data: { id: account.id, email: account.email } });
    expect(records.map(({ kind }) => kind)).toContain('signIn');
  });

  it('asks for a sign-in, and for a proof after ten minutes', async () => {
    const { app, browser, makeStale, account } = await scene();
    const anonymous = await new Browser(app).open('/account/data.jsonl');
    expect(anonymous.headers.get('location')).toMatch(/^\/sign-in/);
    await makeStale();
    const stale = await browser.open('/account/data.jsonl');
    expect(stale.headers.get('location')).toMatch(/^\/account\/confirm/);
    const byKey = await app.request('/account/data.jsonl', {
      headers: { authorization: `Bearer ${account.key}` },
    });
    expect(byKey.status).toBe(303);
  });
});

describe('/account/erase', () => {
  it('shows the plan, and erases once the address is typed', async () => {
    const { account, browser, find } = await scene();
    const shown = await browser.open('/account/erase');
    expect(shown.text).toContain('API keys: 1');
    const token = hidden(shown, 'form_token') as string;
    const wrong = await browser.post('/account/erase', { form_token: token, email: 'other@example.test' });
    expect([wrong.status, (await find()).erasedAt]).toEqual([422, null]);
    const done = await browser.post('/account/erase', { form_token: token, email: account.email });
    expect(done.status).toBe(200);
    expect(done.text).toContain('The account was erased');
    expect(await find()).toMatchObject({ name: 'Erased person' });
    expect((await browser.open('/account')).headers.get('location')).toMatch(/^\/sign-in/);
  });

  it('has a name for each kind of an item', () => {
    const kinds = [...HOLDINGS.map(({ kind }) => kind), 'eventContent', 'comment', 'event'];
    expect(kinds.filter((kind) => !(kind in KIND_NAMES))).toEqual([]);
    expect(Object.keys(KIND_NAMES).filter((kind) => !kinds.includes(kind))).toEqual([]);
  });

  it('does nothing from another site, without a proof, or for the only owner of an organization', async () => {
    const { account, browser, find, makeStale } = await scene();
    const token = hidden(await browser.open('/account/erase'), 'form_token') as string;
    const fields = { form_token: token, email: account.email };
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' };
    expect((await browser.post('/account/erase', fields, foreign)).status).toBe(403);
    await createOrganization(await account.context(), { name: 'Alone' });
    expect((await browser.open('/account/erase')).text).toContain('<bdi>Alone</bdi>');
    expect((await browser.post('/account/erase', fields)).status).toBe(422);
    await makeStale();
    expect((await browser.post('/account/erase', fields)).status).toBe(303);
    expect((await find()).erasedAt).toBeNull();
  });
});
