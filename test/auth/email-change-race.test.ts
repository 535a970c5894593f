import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { requestEmailChange } from '../../src/domain/accounts/email-change.ts';
import { emailLinkUrl } from '../../src/domain/accounts/email-link.ts';
import { type Account, Browser, hidden, newAccount, newApp } from '../support/browser.ts';
import { secondPool, testDatabase } from '../support/database.ts';
import { testStorage } from '../support/storage.ts';

/** Of each race. */
const ROUNDS = 5;

let serial = 0;
const fresh = () => `race${process.pid}.${serial++}@example.test`;

/** Browsers of the account, one at each process, and the link that confirms a new address. */
async function requested(dbs: readonly Database[], account: Account, newEmail: string) {
  const [db] = dbs as [Database];
  await requestEmailChange(db, { userId: account.id, oldEmail: account.email, newEmail, ipAddress: null });
  const { id } = await db.prisma.emailChange.findFirstOrThrow({
    where: { userId: account.id },
    orderBy: { id: 'desc' },
  });
  const url = emailLinkUrl(await testStorage(db), 'confirm', id);
  const browser = new Browser(await newApp(db));
  await browser.signIn(account);
  const token = hidden(await browser.open('/account'), 'form_token') as string;
  const browsers = await Promise.all(
    dbs.map(async (each) => {
      const other = new Browser(await newApp(each));
      other.cookie = browser.cookie;
      return other;
    }),
  );
  const confirm = (index: number) =>
    (browsers[index % browsers.length] as Browser).post(new URL(url).pathname, { form_token: token });
  return { confirm };
}

describe('a change of address', () => {
  const dbs: Database[] = [];
  beforeAll(async () => {
    dbs.push(await testDatabase());
    if (process.env.TEST_DATABASE_URL) dbs.push(await secondPool());
  });
  afterAll(async () => dbs[1]?.close());

  it('to one address is given to one of ten accounts', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = fresh();
      const rivals = [];
      for (let each = 0; each < 10; each++)
        rivals.push(await requested(dbs, await newAccount(dbs[0] as Database), email));
      const answers = await Promise.all(rivals.map(({ confirm }, index) => confirm(index)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
      expect(await dbs[0]?.prisma.user.count({ where: { email } })).toBe(1);
    }
  });
});
