import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OFFLINE_COMMANDS } from '../../src/admin/audit.ts';
import { COMMANDS } from '../../src/admin/commands.ts';
import { viewerOfBearer } from '../../src/auth/bearer.ts';
import { verifyPassword } from '../../src/auth/password.ts';
import { testDatabase } from '../support/database.ts';
import { testStorage } from '../support/storage.ts';
import { config } from '../support/world.ts';

async function scene() {
  const db = await testDatabase();
  const site = { db, storage: await testStorage(db), limits: config.limits };
  const run = async (name: string, options: Record<string, string>) =>
    COMMANDS[name]?.run(site, options) as Promise<string>;
  const email = `a${randomBytes(6).toString('hex')}@example.test`;
  const output = await run('create-user', { email, name: 'Ada' });
  return { db, run, email, password: output.split(' ').at(-1) as string };
}

describe('the command line', () => {
  it('creates an account whose password is printed once and stored as a hash', async () => {
    const { db, email, password } = await scene();
    const { passwordHash } = await db.prisma.user.findUniqueOrThrow({ where: { email } });
    expect(passwordHash).not.toContain(password);
    expect(await verifyPassword(password, passwordHash)).toBe(true);
  });

  it('creates an organization, its members and their keys', async () => {
    const { db, run, email } = await scene();
    const organization = await run('create-organization', { name: 'Acme', owner: email.toUpperCase() });
    const other = `b${email}`;
    await run('create-user', { email: other, name: 'Bo' });
    await run('add-member', { organization, email: other, role: 'guest' });
    const viewer = await viewerOfBearer(
      db,
      await run('create-key', { email: other, name: 'k', scopes: 'read', days: '1' }),
    );
    expect([...(viewer?.scopes ?? [])]).toEqual(['read']);
    expect(viewer?.memberships).toEqual([
      { organizationId: organization, role: 'GUEST', seesAllContent: true },
    ]);
    const kinds = await db.prisma.event.findMany({
      where: { organizationId: organization },
      orderBy: { sequence: 'asc' },
    });
    expect(kinds.map(({ kind }) => kind)).toEqual(['organization.created', 'member.added', 'member.added']);
  });

  it.each([
    ['create-user', { email: 'nobody', name: 'x' }, 'BAD_USER_INPUT'],
    ['create-key', { email: 'nobody@example.test', name: 'x' }, 'NOT_FOUND'],
    ['create-organization', { owner: 'nobody@example.test', name: 'x' }, 'NOT_FOUND'],
  ])('refuses %s %j', async (name, options, code) => {
    const { run } = await scene();
    await expect(run(name, options)).rejects.toMatchObject({ code });
  });

  it('refuses a second account, a second membership, an unknown role or scope, and a key without a lifetime', async () => {
    const { run, email } = await scene();
    const organization = await run('create-organization', { name: 'Acme', owner: email });
    await expect(run('create-user', { email, name: 'x' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(run('add-member', { organization, email, role: 'MEMBER' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await expect(run('add-member', { organization, email, role: 'king' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
    await expect(run('create-key', { email, name: 'k', scopes: 'all' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
    await expect(run('create-key', { email, name: 'k', days: '-1' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });

  it('registers an application, with a secret if it is confidential', async () => {
    const { run, email } = await scene();
    const organization = await run('create-organization', { name: 'Acme', owner: email });
    const app = {
      organization,
      owner: email,
      name: 'App',
      'redirect-uris': 'https://a.example/cb,https://b.example/cb',
    };
    const confidential = JSON.parse(
      await run('create-app', { ...app, kind: 'confidential', scopes: 'read' }),
    );
    expect(confidential).toEqual({
      client_id: expect.stringMatching(/^app_/),
      client_secret: expect.stringMatching(/./),
    });
    const open = JSON.parse(await run('create-app', { ...app, kind: 'public' }));
    expect(Object.keys(open)).toEqual(['client_id']);
    await expect(
      run('create-app', { ...app, kind: 'public', 'redirect-uris': 'nowhere' }),
    ).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('ends the sign-ins of an account whose password changes', async () => {
    const { db, run, email } = await scene();
    const { id } = await db.prisma.user.findUniqueOrThrow({ where: { email } });
    const data = { id: `sin_${id.slice(4)}`, userId: id, userAgent: 'test', ipAddress: '192.0.2.1' };
    await db.prisma.signIn.create({
      data: {
        ...data,
        secretHash: Uint8Array.from(randomBytes(32)),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    await run('set-password', { email });
    const signIn = await db.prisma.signIn.findUniqueOrThrow({ where: { id: data.id } });
    expect(signIn.expiresAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('verifies the event chain of an organization, and names the first changed row', async () => {
    const { db, run, email } = await scene();
    const organizationId = await run('create-organization', { name: 'Acme', owner: email });
    expect(await run('verify', { organization: organizationId })).toBe(
      `${organizationId}: 2 events, all in order`,
    );
    await db.prisma.event.updateMany({ where: { organizationId, sequence: 2 }, data: { kind: 'x' } });
    const broken = run('verify', { organization: organizationId });
    await expect(broken).rejects.toThrow(`${organizationId}: Event 2 (x) does not match its hash`);
    await expect(run('verify', { organization: 'org_none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('names the missing file of the evidence', async () => {
    const check = OFFLINE_COMMANDS['check-evidence']?.run({ evidence: '/nowhere.json', pdf: '/nowhere.pdf' });
    await expect(check).rejects.toThrow('/nowhere.json is not readable (ENOENT)');
  });

  it('prints the certificate of the seal', async () => {
    const { run } = await scene();
    expect(await run('certificate', {})).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });
});

describe('price-operations', () => {
  const price = async (text: string) => {
    const file = join(await mkdtemp(join(tmpdir(), 'docgraph-')), 'operations');
    await writeFile(file, text);
    return OFFLINE_COMMANDS['price-operations']?.run({ file });
  };
  const PAGE = 'query Page($n: Int = 50) { viewer { organizations(first: $n) { nodes { id } } } }';

  it('prints the points and levels of each operation of a file', async () => {
    expect(await price(`${PAGE} query Me { viewer { name } }`)).toBe(
      '     61 points, 4 levels: Page\n      1 points, 2 levels: Me',
    );
  });

  it('reads a manifest of stored operations', async () => {
    expect(await price(JSON.stringify({ abc: PAGE }))).toBe('     61 points, 4 levels: Page');
  });

  it('refuses an operation that is not valid for the schema', async () => {
    await expect(price('{ nothing }')).rejects.toThrow('Cannot query field "nothing"');
  });
});
