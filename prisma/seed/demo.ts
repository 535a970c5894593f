import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { hashPassword } from '../../src/auth/password.ts';
import type { Config } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context, Storage } from '../../src/domain/kernel/context.ts';
import { IDENTITY_SCOPES, type Scope } from '../../src/domain/kernel/scope.ts';
import { createClient } from '../../src/domain/oauth/client-change.ts';
import { newSecret } from '../../src/lib/secret.ts';
import { makeOrganization, makePeople } from './make.ts';
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
 * Creates the demo workspace in an empty database, and writes its credentials to DATA_DIR/demo.json (mode 0600). Resolves
 * to the sign-in of its owner; undefined where others use the database, or the file was removed.
 */
export async function seedDemo(
  db: Database,
  storage: Storage,
  config: SeedConfig,
  print: (line: string) => void,
): Promise<DemoSignIn | undefined> {
  const file = join(config.dataDir, 'demo.json');
  if ((await db.prisma.user.count()) > 0) return readOwner(file);
  print('Creating the demo workspace, at the first start only …');
  const demo = await makeWorkspace(db, storage, config);
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  return demo.owner;
}

const readOwner = (file: string): Promise<DemoSignIn | undefined> =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text).owner,
    () => undefined,
  );

async function makeWorkspace(db: Database, storage: Storage, { limits, publicUrl }: SeedConfig) {
  const people = await makePeople(db, WORKSPACE.people);
  const [ours, theirs] = WORKSPACE.organizations;
  const site = { db, storage, limits, people };
  const workspace = await makeOrganization(site, ours);
  const { organizationId, projectId } = workspace;
  // Concurrent, since file work and password hashing leave the database idle.
  const [links, otherOrganization, owner, member, stranger] = await Promise.all([
    makeWebhook(site, organizationId, () => makeWork(site, workspace)),
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
    redirectUris: [native],
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
