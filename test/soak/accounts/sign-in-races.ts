import { Authenticator } from '../../support/authenticator.ts';
import {
  type Account,
  Browser,
  hidden,
  newAccount,
  ORIGIN,
  type Page,
  type Server,
} from '../../support/browser.ts';
import { type App, withApp } from '../../support/factors.ts';
import {
  type AccountRace,
  AT_ONCE,
  beginsSession,
  isSignedIn,
  newBrowsers,
  newNetwork,
  type Scene,
} from './scene.ts';

const SECOND_FACTOR = '/sign-in/second-factor';

const locationOf = ({ headers }: Page): string => headers.get('location') ?? '';

/** A form with an error, which gives no session. */
const refuses = (page: Page, text: string): boolean =>
  page.status === 422 && page.text.includes(text) && !beginsSession(page);

const hasEnded = (page: Page): boolean =>
  page.status === 303 && locationOf(page).startsWith('/sign-in?ended') && !beginsSession(page);

/** Browsers of one account with an authenticator app, each of which has entered the password. */
async function pendingSignIns(scene: Scene): Promise<{ account: Account; app: App; browsers: Browser[] }> {
  const account = await newAccount(scene.db);
  const app = await withApp(scene.db, account);
  const browsers = newBrowsers(scene);
  await Promise.all(browsers.map((browser) => browser.signIn(account)));
  return { account, app, browsers };
}

const SIGN_IN = { 'sign-in': 1, 'live sign-in': 1, 'unused pending sign-in': -1, 'event signIn.begun': 1 };
const CODE_USED = {
  'unused recovery code': -1,
  'event recoveryCode.used': 1,
  'mail SECOND_FACTOR_CHANGED': 1,
};

/** What the races of codes have in common. */
const sessionRound = ({ email }: Account, browsers: readonly Browser[]) => ({
  isWinner: beginsSession,
  emails: [email],
  isGiven: (turn: number) => isSignedIn(browsers[turn] as Browser),
});

/** One code of the authenticator app, in as many browsers. */
export const totpCode: AccountRace = async (scene) => {
  const { account, app, browsers } = await pendingSignIns(scene);
  const code = await app.code();
  return {
    ...sessionRound(account, browsers),
    ask: (turn) => (browsers[turn] as Browser).post(SECOND_FACTOR, { code }),
    isRefusal: (page) => refuses(page, 'This code is wrong, or was used already.'),
    leaves: SIGN_IN,
  };
};

/** One recovery code, in as many browsers. */
export const recoveryCode: AccountRace = async (scene) => {
  const { account, app, browsers } = await pendingSignIns(scene);
  const [code = ''] = app.recoveryCodes;
  return {
    ...sessionRound(account, browsers),
    ask: (turn) => (browsers[turn] as Browser).post(SECOND_FACTOR, { recoveryCode: code }),
    isRefusal: (page) => refuses(page, 'This is none of your unused recovery codes.'),
    leaves: { ...SIGN_IN, ...CODE_USED },
  };
};

/** One pending sign-in of a browser, with ten recovery codes, each sent twice. */
export const pendingSignIn: AccountRace = async (scene) => {
  const account = await newAccount(scene.db);
  const { recoveryCodes } = await withApp(scene.db, account);
  const browsers = newBrowsers(scene);
  const [first] = browsers as [Browser];
  await first.signIn(account);
  for (const browser of browsers) browser.cookie = first.cookie;
  return {
    ...sessionRound(account, browsers),
    ask: (turn) =>
      (browsers[turn] as Browser).post(SECOND_FACTOR, { recoveryCode: recoveryCodes[turn >> 1] as string }),
    isRefusal: (page) => hasEnded(page) || refuses(page, 'This is none of your unused recovery codes.'),
    leaves: { ...SIGN_IN, ...CODE_USED },
  };
};

/** Adds a passkey, as the script of the page does. */
async function addPasskey(browser: Browser, account: Account): Promise<Authenticator> {
  await browser.signIn(account);
  const token = hidden(await browser.open('/account/second-factors'), 'form_token') as string;
  const options = await browser.post('/account/passkeys/options', { form_token: token });
  const authenticator = new Authenticator(ORIGIN);
  const credential = authenticator.create(JSON.parse(options.text));
  const added = await browser.post('/account/passkeys', { form_token: token, name: 'Phone', credential });
  if (added.status !== 200) throw new Error(`The passkey was not added: ${added.status}`);
  return authenticator;
}

/** One challenge of a browser, to which a passkey gives as many answers. */
export const passkeyChallenge: AccountRace = async (scene) => {
  const account = await newAccount(scene.db);
  const network = newNetwork();
  const authenticator = await addPasskey(new Browser(scene.servers[0] as Server, network), account);
  const browsers = newBrowsers(scene, network);
  const [first] = browsers as [Browser];
  const options = JSON.parse((await first.post('/sign-in/passkey/options', {})).text);
  for (const browser of browsers) browser.cookie = first.cookie;
  const answers = Array.from({ length: AT_ONCE }, () => authenticator.get(options));
  return {
    ...sessionRound(account, browsers),
    ask: (turn) =>
      (browsers[turn] as Browser).post('/sign-in/passkey', { credential: answers[turn] as string }),
    isRefusal: (page) => refuses(page, 'This passkey does not open an account here.'),
    leaves: { 'sign-in': 1, 'live sign-in': 1, 'event signIn.begun': 1 },
  };
};
