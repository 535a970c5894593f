import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { hashPassword } from '../../src/auth/password.ts';
import type { Config } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context, Storage } from '../../src/domain/kernel/context.ts';
import { createClient } from '../../src/domain/oauth/client-change.ts';
import type { Scope } from '../../src/generated/prisma/client.ts';
import { newSecret } from '../../src/lib/secret.ts';
import { makeOrganization, makePeople } from './make.ts';
import { makeWebhook } from './make-webhook.ts';
import { makeWork } from './make-work.ts';
import { actAs } from './site.ts';
import { WORKSPACE } from './workspace.ts';

type SeedConfig = Pick<Config, 'dataDir' | 'publicUrl' | 'limits'>;
type Say = (line: string) => void;

/** Creates the demo workspace in an empty database, and writes its credentials to DATA_DIR/demo.json (mode 0600). */
export async function seedDemo(db: Database, storage: Storage, config: SeedConfig, say: Say): Promise<void> {
  const file = join(config.dataDir, 'demo.json');
  if ((await db.prisma.user.count()) > 0) {
    if (existsSync(file)) say(`How to sign in to the demo workspace: ${file}`);
    else say(`There is no ${file}: to have the demo workspace made anew, start with an empty DATA_DIR.`);
    return;
  }
  say('Making the demo workspace …');
  const demo = await makeWorkspace(db, storage, config, say);
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  say(`  ${demo.owner.email} with the password ${demo.owner.password}`);
  say(`  API key: ${demo.owner.apiKey}`);
  say(`  To be signed, without an account: ${demo.signingUrl}`);
  say(`  To be filled in: ${demo.formUrl}`);
  say(`  All of it is in ${file}`);
}

async function makeWorkspace(db: Database, storage: Storage, { limits, publicUrl }: SeedConfig, say: Say) {
  const people = await makePeople(db, WORKSPACE.people);
  const [ours, theirs] = WORKSPACE.organizations;
  const site = { db, storage, limits, people, say };
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
  const shared = { organizationId, scopes: ['read' as const, 'write' as const] };
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
