import { expect, it, vi } from 'vitest';
import { COMMANDS } from '../../src/admin/commands.ts';
import { newAccount } from '../support/browser.ts';
import { config, newMember, newWorld } from '../support/world.ts';

async function scene() {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const person = await newMember(db, organization.id, 'MEMBER');
  const site = { db, storage: (await owner.context()).storage, limits: config.limits };
  const run = (name: string, values: Record<string, string>) =>
    COMMANDS[name]?.run(site, values) as Promise<string>;
  /** The records that the command prints. */
  const exported = async (email: string) => {
    const written: string[] = [];
    const write = vi
      .spyOn(process.stdout, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    const last = await run('export-person', { email }).finally(() => write.mockRestore());
    return `${written.join('')}${last}`.split('\n').map((line) => JSON.parse(line));
  };
  const find = (id: string) => db.prisma.user.findUnique({ where: { id } });
  return { ...world, person, run, exported, find };
}

it('export-person prints a record on each line, also where there are several batches', async () => {
  const { db, person, exported } = await scene();
  await db.prisma.userPreference.createMany({
    data: Array.from({ length: 501 }, (_, index) => ({ userId: person.id, name: `n${index}`, value: 'x' })),
  });
  const lines = await exported(person.email.toUpperCase());
  expect(lines[0]).toMatchObject({ kind: 'account', data: { email: person.email } });
  expect(lines.filter(({ kind }) => kind === 'preference')).toHaveLength(501);
});

it('erase-person prints the plan, and erases with --yes alone', async () => {
  const { person, organization, run, find } = await scene();
  const values = { email: person.email, reason: 'Asked for' };
  const plan = await run('erase-person', values);
  expect(plan).toContain('Removed:');
  expect(plan).toContain('  1 membership');
  expect(plan).toContain('Nothing was changed.');
  expect(await find(person.id)).toMatchObject({ erasedAt: null, email: person.email });
  const report = await run('erase-person', { ...values, yes: 'true' });
  expect(report).toContain(`${person.id} was erased.`);
  expect(report).toContain('  1 apiKey');
  expect(await find(person.id)).toMatchObject({ name: 'Erased person' });
  expect(await run('verify', { organization: organization.id })).toContain('all in order');
  await expect(run('erase-person', values)).rejects.toThrow('not found');
});

it('erase-person names the organizations that would have no owner', async () => {
  const { owner, organization, run, find } = await scene();
  for (const more of [{}, { yes: 'true' }] as Record<string, string>[])
    await expect(run('erase-person', { email: owner.email, reason: 'Asked for', ...more })).rejects.toThrow(
      `only owner of ${organization.name} (${organization.id})`,
    );
  expect(await find(owner.id)).toMatchObject({ erasedAt: null });
});

it.each([
  ['nobody@example.test', 'Asked for', 'not found'],
  ['no address', 'Asked for', 'email'],
])('erase-person refuses %s', async (email, reason, message) => {
  const { run } = await scene();
  await expect(run('erase-person', { email, reason })).rejects.toThrow(message);
});

it('a new account with the address of an erased one has nothing of it, and can be erased, too', async () => {
  const { db, person, run, exported, find } = await scene();
  await run('erase-person', { email: person.email, reason: 'Asked for', yes: 'true' });
  const again = await newAccount(db);
  await db.prisma.user.update({ where: { id: again.id }, data: { email: person.email } });
  const records = await exported(person.email);
  expect(records.map(({ kind }) => kind)).toEqual(['account', 'apiKey']);
  await run('erase-person', { email: person.email, reason: 'Asked for', yes: 'true' });
  expect(await find(again.id)).toMatchObject({ name: 'Erased person' });
});
