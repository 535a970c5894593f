import type { Hono } from 'hono';
import type { Database } from '../../../src/db/database.ts';
import { Browser, hidden, newApp, type Page, withPassword } from '../../support/browser.ts';
import { newMember, newWorld, type Person } from '../../support/world.ts';

/** A name that would be markup, were it not escaped. */
export const HOSTILE = '<script>alert(1)</script>"><b>';

/** An organization with an owner, an admin, a member and a stranger, each with a browser in which they are signed in. */
export async function newScene() {
  const world = await newWorld();
  const { db, organization, owner, stranger } = world;
  const admin = await newMember(db, organization.id, 'ADMIN');
  const member = await newMember(db, organization.id, 'MEMBER');
  const app = await newApp(db);
  const browserOf = visitorsOf(db, app);
  return {
    ...world,
    admin,
    member,
    app,
    path: `/console/${organization.id}`,
    as: {
      owner: await browserOf(owner),
      admin: await browserOf(admin),
      member: await browserOf(member),
      stranger: await browserOf(stranger),
    },
  };
}

/** Signs people in, each in a browser of their own. */
export const visitorsOf =
  (db: Database, app: Hono) =>
  async (person: Person): Promise<Visitor> => {
    const browser = new Browser(app);
    await browser.signIn(await withPassword(db, person));
    return new Visitor(browser);
  };

/** Somebody who opens pages and submits their forms. */
export class Visitor {
  readonly browser: Browser;
  #token: string | undefined;

  constructor(browser: Browser) {
    this.browser = browser;
  }

  open(path: string): Promise<Page> {
    return this.browser.open(path);
  }

  /** Submits a form with the token of this browser. */
  async submit(path: string, fields: Record<string, string> | [string, string][] = {}): Promise<Page> {
    this.#token ??= hidden(await this.open('/account'), 'form_token') ?? '';
    const form = new URLSearchParams(fields);
    form.set('form_token', this.#token);
    return this.browser.post(path, form);
  }
}

/** What a visitor without rights sees: no more than for an id that does not exist. */
export const withoutRequestId = ({ status, text }: Page) => [status, text.replace(/<code>[^<]*<\/code>/, '')];
