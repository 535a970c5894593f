import { requestEmailChange } from '../../../src/domain/accounts/email-change.ts';
import { type EmailLink, emailLinkUrl } from '../../../src/domain/accounts/email-link.ts';
import { newResetSecret } from '../../../src/domain/accounts/password-reset.ts';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { invitationUrl } from '../../../src/domain/membership/invitation-link.ts';
import { type Account, Browser, hidden, newAccount, type Page, type Server } from '../../support/browser.ts';
import { type AccountRace, beginsSession, isSignedIn, newBrowsers, newNetwork, type Scene } from './scene.ts';

let serial = 0;
const newEmail = () => `new${process.pid}.${serial++}@example.test`;

const says = (page: Page, status: number, title: string): boolean =>
  page.status === status && page.text.includes(`<h1>${title}</h1>`) && !beginsSession(page);

const isNotValid = (page: Page): boolean => says(page, 410, 'This link is not valid');

/** Strong, and different each time. */
const passwordOf = (turn: number) => `gravel lantern otter ${turn} quilt`;

/** What the end of the only sign-in of an account leaves. */
const SIGNED_OUT = { 'live sign-in': -1, 'event signIn.ended': 1 };

/** An account that has asked for another address: its browser, and the links in the mails about that. */
async function requestedChange(scene: Scene) {
  const { db, servers, storage } = scene;
  const account = await newAccount(db);
  const browser = new Browser(servers[0] as Server, newNetwork());
  await browser.signIn(account);
  const token = hidden(await browser.open('/account'), 'form_token') as string;
  const [oldEmail, email] = [account.email, newEmail()];
  await requestEmailChange(db, { userId: account.id, oldEmail, newEmail: email, ipAddress: null });
  const { id } = await db.prisma.emailChange.findFirstOrThrow({ where: { userId: account.id } });
  const pathOf = (link: EmailLink) => new URL(emailLinkUrl(storage, link, id)).pathname;
  const emailOf = async () => (await db.prisma.user.findUniqueOrThrow({ where: { id: account.id } })).email;
  return { account, browser, token, emails: [oldEmail, email], newEmail: email, pathOf, emailOf };
}

/** The link that confirms a new address, in as many tabs of the browser that has asked for it. */
export const addressChange: AccountRace = async (scene) => {
  const { browser, token, emails, newEmail, pathOf, emailOf } = await requestedChange(scene);
  const browsers = newBrowsers(scene);
  for (const each of browsers) each.cookie = browser.cookie;
  return {
    ask: (turn) => (browsers[turn] as Browser).post(pathOf('confirm'), { form_token: token }),
    isWinner: (page) => says(page, 200, 'Your address is confirmed'),
    isRefusal: isNotValid,
    emails,
    leaves: { 'event email.changed': 1, 'mail EMAIL_CHANGE_NOTICE': 1 },
    isGiven: async (turn) => (await emailOf()) === newEmail && isSignedIn(browsers[turn] as Browser),
  };
};

/** The link that gives an account its old address back, opened in as many browsers. */
export const addressUndo: AccountRace = async (scene) => {
  const { account, browser, token, emails, pathOf, emailOf } = await requestedChange(scene);
  const confirmed = await browser.post(pathOf('confirm'), { form_token: token });
  if (confirmed.status !== 200) throw new Error(`The address was not confirmed: ${confirmed.status}`);
  const browsers = newBrowsers(scene);
  return {
    ask: (turn) => (browsers[turn] as Browser).post(pathOf('undo'), {}),
    isWinner: (page) => says(page, 200, 'Your address stays as it was'),
    isRefusal: isNotValid,
    emails,
    leaves: { ...SIGNED_OUT, 'event email.changeUndone': 1, 'password link': 1 },
    isGiven: async () => (await emailOf()) === account.email && !(await isSignedIn(browser)),
  };
};

/** A link to a new password, with another password each time. */
export const passwordReset: AccountRace = async (scene) => {
  const { db, servers } = scene;
  const account = await newAccount(db);
  const signedIn = new Browser(servers[0] as Server, newNetwork());
  await signedIn.signIn(account);
  const reset = await newResetSecret(db, account.email);
  const browsers = newBrowsers(scene);
  const canSignIn = async (entered: Pick<Account, 'email' | 'password'>) =>
    (await signedIn.signIn(entered)).status === 303;
  return {
    ask: (turn) =>
      (browsers[turn] as Browser).post(`/password/reset/${reset?.secret}`, { password: passwordOf(turn) }),
    isWinner: (page) => says(page, 200, 'The password is set'),
    isRefusal: isNotValid,
    emails: [account.email],
    leaves: { ...SIGNED_OUT, 'event password.reset': 1, 'mail PASSWORD_CHANGED': 1 },
    isGiven: async (turn) =>
      !(await isSignedIn(signedIn)) && canSignIn({ ...account, password: passwordOf(turn) }),
  };
};

/** The mailed link of an invitation, by which as many people create an account. */
export const invitation: AccountRace = async (scene) => {
  const { owner, organizationId, storage } = scene;
  const email = newEmail();
  const ctx = await owner.context();
  const invited = await inviteMembers(ctx, { organizationId, members: [{ email, role: 'MEMBER' }] });
  const id = invited.invitations[0]?.id as string;
  const path = new URL(invitationUrl(storage, { id, resends: 0 }, 'mailed')).pathname;
  const browsers = newBrowsers(scene);
  /** A page that leads back to the link, which says that it has ended. */
  const isOver = async (page: Page, turn: number) =>
    isNotValid(page) ||
    (page.status === 303 &&
      page.headers.get('location') === path &&
      !beginsSession(page) &&
      isNotValid(await (browsers[turn] as Browser).open(path)));
  return {
    ask: (turn) =>
      (browsers[turn] as Browser).post(path, { name: `Ann ${turn}`, password: passwordOf(turn) }),
    isWinner: beginsSession,
    isRefusal: isOver,
    emails: [email],
    leaves: {
      account: 1,
      membership: 1,
      'sign-in': 1,
      'live sign-in': 1,
      'event account.created': 1,
      'event signIn.begun': 1,
    },
    isGiven: async (turn) => isSignedIn(browsers[turn] as Browser),
  };
};
