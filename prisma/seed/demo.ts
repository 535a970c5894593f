import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueApiKey } from '../../src/auth/api-key.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context, Storage } from '../../src/domain/context.ts';
import { createOrganization } from '../../src/domain/organization.ts';
import { createProjects } from '../../src/domain/project.ts';
import type { Viewer } from '../../src/domain/viewer.ts';
import { newId } from '../../src/lib/id.ts';
import { hashPassword, newSecret } from '../../src/lib/secret.ts';

type SeedConfig = Pick<Config, 'dataDir' | 'publicUrl' | 'limits'>;

/** Makes the demo workspace in an empty database, and writes how to sign in to DATA_DIR/demo.json (mode 0600). */
export async function seedDemo(
  db: Database,
  storage: Storage,
  config: SeedConfig,
  say: (line: string) => void,
): Promise<void> {
  const file = join(config.dataDir, 'demo.json');
  if ((await db.prisma.user.count()) > 0) {
    if (existsSync(file)) say(`How to sign in to the demo workspace: ${file}`);
    return;
  }
  say('Making the demo workspace …');
  const demo = await makeWorkspace(db, storage, config);
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  say(`  ${demo.owner.email} with the password ${demo.owner.password}`);
  say(`  API key: ${demo.owner.apiKey}`);
  say(`  All of it is in ${file}`);
}

async function makeWorkspace(db: Database, storage: Storage, config: SeedConfig) {
  const owner = await makePerson(db, 'Tove Ahlgren', 'tove.ahlgren@example.test');
  const member = await makePerson(db, 'Jonas Weber', 'jonas.weber@example.test');
  const stranger = await makePerson(db, 'Mira Okafor', 'mira.okafor@example.test');
  const ours = await makeOrganization(db, storage, config, owner.id, 'Harbor & Pine Architects', [
    'Quay Renewal',
    'Town Library',
  ]);
  const theirs = await makeOrganization(db, storage, config, stranger.id, 'Northwind Surveying', [
    'Reference Plots',
  ]);
  await db.prisma.membership.create({
    data: {
      organizationId: ours.organizationId,
      id: newId('Membership'),
      userId: member.id,
      role: 'MEMBER',
      createdById: owner.id,
    },
  });
  const readOnly = await issueApiKey(db.prisma, { userId: member.id, name: 'Read only', scopes: ['read'] });
  return {
    url: config.publicUrl,
    ...ours,
    owner: owner.credentials,
    member: { ...member.credentials, readOnlyApiKey: readOnly.secret },
    stranger: { ...stranger.credentials, ...theirs },
  };
}

async function makePerson(db: Database, name: string, email: string) {
  const id = newId('User');
  const password = newSecret('dgb_').slice(4, 20);
  await db.prisma.user.create({ data: { id, name, email, passwordHash: await hashPassword(password) } });
  const { secret } = await issueApiKey(db.prisma, { userId: id, name: 'Demo', scopes: ['read', 'write'] });
  return { id, credentials: { email, password, apiKey: secret } };
}

async function makeOrganization(
  db: Database,
  storage: Storage,
  { limits }: SeedConfig,
  userId: string,
  name: string,
  projects: string[],
) {
  const context = async (): Promise<Context> => ({
    db,
    storage,
    limits,
    requestId: 'seed',
    viewer: await viewerOf(db, userId),
  });
  const organization = await createOrganization(await context(), { name });
  const [project] = await createProjects(await context(), {
    organizationId: organization.id,
    projects: projects.map((each) => ({ name: each })),
  });
  return { organizationId: organization.id, projectId: project?.id as string };
}

async function viewerOf(db: Database, userId: string): Promise<Viewer> {
  const { id, email, name } = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const memberships = await db.prisma.membership.findMany({ where: { userId } });
  return { userId: id, email, name, scopes: new Set(['read', 'write']), credentialId: 'seed', memberships };
}
