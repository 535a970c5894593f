import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { hashPassword } from '../../src/auth/password.ts';
import type { Config } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import type { Context, Storage } from '../../src/domain/kernel/context.ts';
import { IDENTITY_SCOPES, type Scope } from '../../src/domain/kernel/scope.ts';
import { createClient } from '../../src/domain/oauth/client-change.ts';
import { newSecret } from '../../src/lib/secret.ts';
import { makeOrganization, makePeople } from './make.ts';
import { makeForm, type SeededForm } from './make-form.ts';
import { makeWebhook } from './make-webhook.ts';
import { makeWork } from './make-work.ts';
import { actAs } from './site.ts';
import { WORKSPACE } from './workspace.ts';

type SeedConfig = Pick<Config, 'dataDir' | 'publicUrl' | 'limits'>;
/** How to sign in to the demo workspace. */
export interface DemoSignIn {
  email: string;
  password: string;
}

/**
 * Creates the demo workspace in an empty database, and writes its credentials to DATA_DIR/demo.json (mode 0600). At later
 * starts the addresses in the file follow PUBLIC_URL. Resolves to the sign-in of its owner; undefined where others use the
 * database, or the file was removed.
 */
export async function seedDemo(
  db: Database,
  storage: Storage,
  config: SeedConfig,
  print: (line: string) => void,
): Promise<DemoSignIn | undefined> {
  const file = join(config.dataDir, 'demo.json');
  if (await isUsed(db)) return (await moveDemo(file, config.publicUrl))?.owner;
  print('Creating the demo workspace, at the first start only …');
  const demo = await makeWorkspace(db, storage, config);
  await writeDemo(file, demo);
  return demo.owner;
}

/** Not by Prisma's client, which later starts do not load. */
async function isUsed(db: Database): Promise<boolean> {
  const [row] = await db.query<{ isUsed: boolean }>(sql`SELECT EXISTS (SELECT FROM users) AS is_used`);
  return row?.isUsed === true;
}

type Demo = Awaited<ReturnType<typeof makeWorkspace>>;

/** The file appears whole, or not at all. */
async function writeDemo(file: string, demo: Demo): Promise<void> {
  const part = `${file}.part`;
  await writeFile(part, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(part, file);
}

/** Puts the addresses in the file below this one; undefined without the file. */
async function moveDemo(file: string, url: string): Promise<Demo | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const demo: Demo = JSON.parse(text);
  if (demo.url === url) return demo;
  const moved = (link: string | null) =>
    link?.startsWith(demo.url) ? `${url}${link.slice(demo.url.length)}` : link;
  const { signingUrl, formUrl } = demo;
  const now = { ...demo, url, signingUrl: moved(signingUrl), formUrl: moved(formUrl) };
  await writeDemo(file, now);
  return now;
}

async function makeWorkspace(db: Database, storage: Storage, { limits, publicUrl }: SeedConfig) {
  const people = await makePeople(db, WORKSPACE.people);
  const [ours, theirs] = WORKSPACE.organizations;
  const site = { db, storage, limits, people };
  let form: SeededForm | undefined;
  const workspace = await makeOrganization(site, ours, async (projectId) => {
    form = await makeForm(site, projectId);
  });
  const { organizationId, projectId } = workspace;
  // Concurrent, since file work and password hashing leave the database idle.
  const [links, otherOrganization, owner, member, stranger] = await Promise.all([
    makeWebhook(site, organizationId, () => makeWork(site, workspace, form as SeededForm)),
    makeOrganization(site, theirs),
    credentials(db, people.owner),
    credentials(db, people.member),
    credentials(db, people.stranger),
  ]);
  return {
    url: publicUrl,
    ...links,
    organizationId,
    projectId,
    owner,
    member: {
      ...member,
      readOnlyApiKey: await apiKey(db, people.member.id, 'Read only', ['read']),
    },
    stranger: {
      ...stranger,
      organizationId: otherOrganization.organizationId,
      projectId: otherOrganization.projectId,
    },
    ...(await makeClients(await actAs(site, 'owner'), organizationId)),
  };
}

/** OAuth applications to try. Nothing needs to listen at their redirect URIs. */
async function makeClients(ctx: Context, organizationId: string) {
  const shared = { organizationId, scopes: ['read' as const, 'write' as const, ...IDENTITY_SCOPES] };
  const [web, native] = ['http://localhost:9321/callback', 'http://127.0.0.1/callback'] as const;
  // Of any port (RFC 8252 §7.3), thus also of Vite's 5173.
  const sameMachine = 'http://localhost/callback';
  const confidentialClient = await createClient(ctx, {
    ...shared,
    name: 'Site Reports',
    kind: 'CONFIDENTIAL',
    redirectUris: [web],
  });
  const publicClient = await createClient(ctx, {
    ...shared,
    name: 'Pocket Archive',
    kind: 'PUBLIC',
    native: true,
    redirectUris: [native, sameMachine],
  });
  return {
    confidentialClient: {
      client_id: confidentialClient.client.id,
      client_secret: confidentialClient.secret,
      redirect_uri: web,
    },
    publicClient: { client_id: publicClient.client.id, redirect_uri: native },
  };
}

async function credentials(db: Database, { id, email }: { id: string; email: string }) {
  const password = newSecret('dgb_').slice(4, 20);
  await db.prisma.user.update({ where: { id }, data: { passwordHash: await hashPassword(password) } });
  return { email, password, apiKey: await apiKey(db, id, 'Demo', ['read', 'write']) };
}

const apiKey = async (db: Database, userId: string, name: string, scopes: Scope[]): Promise<string> =>
  (await issueApiKey(db.prisma, { userId, name, scopes })).secret;
