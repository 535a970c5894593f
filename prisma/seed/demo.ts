import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { hashPassword } from '../../src/auth/password.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Storage } from '../../src/domain/context.ts';
import type { Scope } from '../../src/generated/prisma/client.ts';
import { newSecret } from '../../src/lib/secret.ts';
import { makeOrganization, makePeople } from './make.ts';
import { WORKSPACE } from './workspace.ts';

type SeedConfig = Pick<Config, 'dataDir' | 'publicUrl' | 'limits'>;
type Say = (line: string) => void;

/** Makes the demo workspace in an empty database, and writes how to sign in to DATA_DIR/demo.json (mode 0600). */
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
  say(`  All of it is in ${file}`);
}

async function makeWorkspace(db: Database, storage: Storage, { limits, publicUrl }: SeedConfig, say: Say) {
  const people = await makePeople(db, WORKSPACE.people);
  const [ours, theirs] = WORKSPACE.organizations;
  const site = { db, storage, limits, people, say };
  return {
    url: publicUrl,
    ...(await makeOrganization(site, ours)),
    owner: await credentials(db, people.owner),
    member: {
      ...(await credentials(db, people.member)),
      readOnlyApiKey: await apiKey(db, people.member.id, 'Read only', ['read']),
    },
    stranger: { ...(await credentials(db, people.stranger)), ...(await makeOrganization(site, theirs)) },
  };
}

async function credentials(db: Database, { id, email }: { id: string; email: string }) {
  const password = newSecret('dgb_').slice(4, 20);
  await db.prisma.user.update({ where: { id }, data: { passwordHash: await hashPassword(password) } });
  return { email, password, apiKey: await apiKey(db, id, 'Demo', ['read', 'write']) };
}

const apiKey = async (db: Database, userId: string, name: string, scopes: Scope[]): Promise<string> =>
  (await issueApiKey(db.prisma, { userId, name, scopes })).secret;
