import type { Hono } from 'hono';
import pino from 'pino';
import { hashPassword } from '../../src/auth/password.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { createApp } from '../../src/http/server.ts';
import type { UsageRecorder } from '../../src/http/usage/usage-recorder.ts';
import type { Certificate } from '../../src/verify/certificate.js';
import { testStorage } from './storage.ts';
import { newPerson, type Person, sentFrom } from './world.ts';

export const ORIGIN = 'http://docgraph.test';
export const PASSWORD = 'correct horse battery staple';
let hashed: Promise<string> | undefined;

export interface Account extends Person {
  password: string;
}

/** A person who can sign in. */
export const newAccount = async (db: Database): Promise<Account> => withPassword(db, await newPerson(db));

/** Gives a person the password. */
export async function withPassword(db: Database, person: Person): Promise<Account> {
  hashed ??= hashPassword(PASSWORD);
  await db.prisma.user.update({ where: { id: person.id }, data: { passwordHash: await hashed } });
  return { ...person, password: PASSWORD };
}

export async function newApp(
  db: Database,
  set: Partial<Config> & {
    env?: Record<string, string>;
    usage?: UsageRecorder;
    timeStampRoots?: readonly Certificate[];
  } = {},
): Promise<Hono> {
  const { env, usage, timeStampRoots, ...more } = set;
  const config = readConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: ORIGIN, ...env });
  const storage = await testStorage(db);
  return createApp({
    config: { ...config, ...more },
    db,
    storage,
    log: pino({ level: 'silent' }),
    usage,
    timeStampRoots,
  });
}

export interface Page {
  status: number;
  headers: Headers;
  text: string;
}

/** A server in this process, or one at a URL. */
export type Server = Pick<Hono, 'request'>;

/** What a browser does: keeps cookies, sends the headers that say who asks, and follows nothing by itself. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #app: Server;
  readonly #address: string;

  constructor(app: Server, address = '192.0.2.1') {
    this.#app = app;
    this.#address = address;
  }

  /** The header Cookie of its requests. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  set cookie(header: string) {
    this.#cookies.clear();
    for (const each of header.split('; ')) this.#store(each);
  }

  /** Stores a cookie by its header Set-Cookie; an empty one is one that ends. */
  #store(header: string): void {
    const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(header) ?? [];
    if (value) this.#cookies.set(name, value);
    else this.#cookies.delete(name);
  }

  async send(path: string, init: RequestInit = {}): Promise<Page> {
    const headers = new Headers(init.headers);
    if (this.cookie) headers.set('cookie', this.cookie);
    const answer = await this.#app.request(`${ORIGIN}${path}`, { ...init, headers }, sentFrom(this.#address));
    for (const header of answer.headers.getSetCookie()) this.#store(header);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  open(path: string): Promise<Page> {
    return this.send(path, { headers: { accept: 'text/html', 'sec-fetch-site': 'none' } });
  }

  /** Sends a form; from a page of ours unless the headers say otherwise. */
  post(
    path: string,
    fields: Record<string, string> | URLSearchParams,
    headers: HeadersInit = SAME,
  ): Promise<Page> {
    return this.send(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  }

  signIn({ email, password }: { email: string; password: string }, more: Record<string, string> = {}) {
    return this.post('/sign-in', { email, password, ...more });
  }
}

/** What a browser of today says of a form on our own page. */
export const SAME = { 'sec-fetch-site': 'same-origin', origin: ORIGIN };

/** The value of a hidden input. */
export const hidden = ({ text }: Page, name: string): string | undefined =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1];
