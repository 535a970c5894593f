import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, encode } from '../support/oauth.ts';
import { freePort, start } from '../support/servers/processes.ts';
import { ROOT } from './blocks.ts';

const LINKS = [
  'dist',
  'node_modules',
  'package.json',
  'prisma',
  'prisma.config.ts',
  'scripts',
  'src',
  'tsconfig.json',
];

/** A folder that looks like the repository, without a `data` folder; `remove` deletes it. */
export function newCheckout() {
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-docs-'));
  for (const name of LINKS)
    if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(folder, name));
  // What docs/limits.md prices: a manifest of stored operations.
  writeFileSync(
    join(folder, 'schema-operations.json'),
    JSON.stringify({ a1: 'query Me { viewer { user { id } } }' }),
  );
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const SETTINGS = { DATABASE_URL: '', PUBLIC_URL: '', WEBHOOK_ALLOW_PRIVATE: 'true' };

/** A server on the demo workspace in `folder`/data. */
export async function startDemo(folder: string) {
  const port = await freePort();
  const { stop } = await start(port, { ...SETTINGS, DATA_DIR: join(folder, 'data') });
  return { port, stop };
}

/** The demo.json of a folder. */
export const demoOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'data/demo.json'), 'utf8'));

/** Signs the owner of the demo workspace in, allows the application at `url`, and returns the authorization code. */
export async function authorize(folder: string, url: string): Promise<string> {
  const { origin, searchParams } = new URL(url);
  const { email, password } = demoOf(folder).owner;
  const request = async (path: string, init?: RequestInit) =>
    fetch(`${origin}${path}`, { ...init, redirect: 'manual' });
  const signIn = await request('/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body: encode({ email, password }),
  });
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0];
  return browser({ request }, cookie).code(Object.fromEntries(searchParams));
}
