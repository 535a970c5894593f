import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { invitationUrl } from '../../src/domain/membership/invitation-link.ts';
import { Browser, hidden, newAccount, newApp, PASSWORD } from '../support/browser.ts';
import { counted, testDatabase } from '../support/database.ts';
import { newPerson, newWorld } from '../support/world.ts';

const MAIL = { SMTP_URL: 'smtp://user:secret@127.0.0.1:25', MAIL_FROM: 'docs@docgraph.test' };

let addresses = 0;
const unknown = (): string => `nobody${++addresses}@example.test`;

/** Addresses that an observer must not tell apart. */
async function people(db: Database): Promise<Record<string, string>> {
  const account = await newAccount(db);
  const disabled = await newAccount(db);
  await db.prisma.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
  const unverified = await newAccount(db);
  await db.prisma.user.update({ where: { id: unverified.id }, data: { emailVerifiedAt: null } });
  return {
    account: account.email,
    withoutPassword: (await newPerson(db)).email,
    disabled: disabled.email,
    unverified: unverified.email,
  };
}

/** Everything that a request does: its answer, its statements, and the hashes that it computes. */
async function workOf(email: string, request: () => Promise<{ status: number; text: string }>) {
  let hashes = 0;
  const onHash = () => void hashes++;
  subscribe('docgraph:password-hash', onHash);
  const { result, statements } = await counted(request);
  unsubscribe('docgraph:password-hash', onHash);
  return { status: result.status, text: result.text.replaceAll(email, 'ADDRESS'), statements, hashes };
}

/** Compares the work for each address with that for one that nobody has. */
async function expectSameWork(
  db: Database,
  of: (email: string) => () => Promise<{ status: number; text: string }>,
) {
  // The first request of a process prepares what later ones find.
  await of(unknown())();
  const nobody = unknown();
  const expected = await workOf(nobody, of(nobody));
  expect(expected.statements.length).toBeGreaterThan(0);
  for (const [who, email] of Object.entries(await people(db)))
    expect({ who, ...(await workOf(email, of(email))) }).toEqual({ who, ...expected });
  return expected;
}

describe('the same work is done for every address', () => {
  it('by a sign-in with a wrong password: one look-up and one hash', async () => {
    const db = await testDatabase();
    const app = await newApp(db);
    const { hashes, status } = await expectSameWork(
      db,
      (email) => () => new Browser(app).signIn({ email, password: 'wrong' }),
    );
    expect([status, hashes]).toEqual([422, 1]);
  });

  it('by a forgotten password: a mail is queued, and written later', async () => {
    const db = await testDatabase();
    const app = await newApp(db, { env: MAIL });
    let network = 0;
    const { statements } = await expectSameWork(
      db,
      (email) => () => new Browser(app, `198.51.100.${++network}`).post('/password/forgot', { email }),
    );
    expect(statements.filter((each) => each.startsWith('INSERT INTO mails'))).toHaveLength(1);
  });

  it('by a sign-up: a mail is queued, and written later', async () => {
    const db = await testDatabase();
    const app = await newApp(db, { env: { ...MAIL, SIGN_UP: 'open' } });
    let network = 0;
    const { statements } = await expectSameWork(
      db,
      (email) => () => new Browser(app, `198.51.100.${++network}`).post('/sign-up', { email }),
    );
    expect(statements.filter((each) => each.startsWith('INSERT INTO mails'))).toHaveLength(1);
  });

  it('by a change of address to it', async () => {
    const db = await testDatabase();
    const app = await newApp(db, { env: MAIL });
    await expectSameWork(db, (email) => {
      let token = '';
      const browser = new Browser(app);
      const ready = newAccount(db).then(async (account) => {
        await browser.signIn(account);
        token = hidden(await browser.open('/account'), 'form_token') as string;
      });
      return async () => {
        await ready;
        const form = { email, emailPassword: PASSWORD, form_token: token };
        const { status, text } = await browser.post('/account/email', form);
        return { status, text: /Look into your mails[^<]*/.exec(text)?.[0] ?? text };
      };
    });
  });

  it('by an invitation of it, and by a link that was copied', async () => {
    const { db, owner, organization } = await newWorld();
    const app = await newApp(db);
    const { storage } = await owner.context();
    const invite = `mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { invitations { id } } }`;
    await expectSameWork(db, (email) => async () => {
      const members = [{ email, role: 'MEMBER' }];
      const input = { organizationId: organization.id, members };
      const { data } = await owner.graph(invite, { input });
      const { id } = data.inviteMembers.invitations[0];
      const copied = new URL(invitationUrl(storage, { id, resends: 0 }, 'copied')).pathname;
      const { status, text } = await new Browser(app).open(copied);
      return {
        status,
        text: text
          .replaceAll(encodeURIComponent(email), email)
          .replaceAll(copied, 'LINK')
          .replaceAll(encodeURIComponent(copied), 'LINK'),
      };
    });
  });
});
