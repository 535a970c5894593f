import { describe, expect, it } from 'vitest';
import { createOrganization } from '../../../../src/domain/organizations/organization.ts';
import { fromNow, MINUTE } from '../../../../src/lib/time.ts';
import { Browser, newAccount, newApp, SAME } from '../../../support/browser.ts';
import { testDatabase } from '../../../support/database.ts';
import { type Answer, newWorld } from '../../../support/world.ts';

const PLAN = `{ viewer { account { erasurePlan { items { kind count effect reason } obstacles { organizationId name } remarks } } } }`;
const ERASE = `mutation ($input: EraseAccountInput!) { eraseAccount(input: $input) { isFinished items { kind effect count } remarks } }`;

async function scene() {
  const db = await testDatabase();
  const app = await newApp(db);
  const account = await newAccount(db);
  const browser = new Browser(app);
  expect((await browser.signIn(account)).status).toBe(303);
  const ask = async (query: string, variables: object = {}): Promise<Answer> => {
    const headers = { ...SAME, 'content-type': 'application/json' };
    const body = JSON.stringify({ query, variables });
    return JSON.parse((await browser.send('/graphql', { method: 'POST', headers, body })).text);
  };
  const erase = (email: string) => ask(ERASE, { input: { email } });
  const find = () => db.prisma.user.findUniqueOrThrow({ where: { id: account.id } });
  return { db, app, account, browser, ask, erase, find };
}

const codeOf = ({ errors }: Answer) => errors?.[0]?.extensions.code ?? 'OK';

describe('eraseAccount', () => {
  it('erases the account of who is signed in and types its address; the session has ended', async () => {
    const { account, app, ask, erase, find } = await scene();
    const plan = (await ask(PLAN)).data.viewer.account.erasurePlan;
    expect(plan.obstacles).toEqual([]);
    expect(plan.items).toContainEqual({ kind: 'signIn', count: 1, effect: 'REMOVED', reason: null });
    expect((await find()).erasedAt).toBeNull();
    const { data } = await erase(account.email.toUpperCase());
    expect(data.eraseAccount).toMatchObject({ isFinished: true, remarks: plan.remarks });
    expect(data.eraseAccount.items).toContainEqual({ kind: 'apiKey', effect: 'REMOVED', count: 1 });
    expect(await find()).toMatchObject({ name: 'Erased person' });
    expect(codeOf(await ask(PLAN))).toBe('UNAUTHENTICATED');
    const again = await new Browser(app).signIn(account);
    const unknown = await new Browser(app).signIn({ ...account, email: 'nobody.at.all@example.test' });
    expect([again.status, again.text.replaceAll(account.email, '')]).toEqual([
      unknown.status,
      unknown.text.replaceAll('nobody.at.all@example.test', ''),
    ]);
  });

  it('needs the address, and a proof within ten minutes', async () => {
    const { db, account, erase, find } = await scene();
    expect(codeOf(await erase('other@example.test'))).toBe('BAD_USER_INPUT');
    const authenticatedAt = fromNow(-11 * MINUTE);
    await db.prisma.signIn.updateMany({ where: { userId: account.id }, data: { authenticatedAt } });
    expect(codeOf(await erase(account.email))).toBe('FORBIDDEN');
    expect((await find()).erasedAt).toBeNull();
  });

  it('is refused for an API key, and for the only owner of an organization, which the plan names', async () => {
    const { account, ask, erase, find } = await scene();
    const byKey = await account.graph(ERASE, { input: { email: account.email } });
    expect(codeOf(byKey)).toBe('FORBIDDEN');
    const { id: organizationId } = await createOrganization(await account.context(), { name: 'Alone' });
    const { obstacles } = (await ask(PLAN)).data.viewer.account.erasurePlan;
    expect(obstacles).toEqual([{ organizationId, name: 'Alone' }]);
    expect(codeOf(await erase(account.email))).toBe('CONFLICT');
    expect((await find()).erasedAt).toBeNull();
  });
});

it('updateOrganization says what becomes of the comments of erased people', async () => {
  const { owner, organization, stranger } = await newWorld();
  const query = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { erasedComments } } }`;
  const input = { organizationId: organization.id, erasedComments: 'REDACT' };
  expect(codeOf(await stranger.graph(query, { input }))).toBe('NOT_FOUND');
  const { data } = await owner.graph(query, { input });
  expect(data.updateOrganization.organization).toEqual({ erasedComments: 'REDACT' });
});
