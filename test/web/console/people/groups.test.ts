import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/lib/id.ts';
import { newMember } from '../../../support/world.ts';
import { HOSTILE, newScene, withoutRequestId } from '../scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

const memberIdOf = async ({ id }: { id: string }): Promise<string> => {
  const where = { userId: id, organizationId: scene.organization.id };
  return (await scene.db.prisma.membership.findFirstOrThrow({ where })).id;
};

/** Creates a group in the console, and returns the path of its page. */
async function newGroup(name: string): Promise<string> {
  const { headers } = await scene.as.owner.submit(`${scene.path}/groups`, { name });
  return headers.get('location') ?? '';
}

const groupOf = (name: string) =>
  scene.db.prisma.group.findFirst({
    where: { organizationId: scene.organization.id, name },
    include: { members: true },
  });

describe('the groups of an organization in the console', () => {
  it('are created, and listed with the first of their members', async () => {
    const { as, db, path, member } = scene;
    const page = await newGroup(`Board ${HOSTILE}`);
    expect(page).toMatch(new RegExp(`^${path}/groups/grp_`));
    await as.admin.submit(`${page}/members`, { do: 'add', member: await memberIdOf(member) });
    const { text } = await as.member.open(`${path}/groups`);
    expect(text).toContain(`href="${page}"`);
    expect(text).toContain('Board &lt;script&gt;');
    const { name } = await db.prisma.user.findUniqueOrThrow({ where: { id: member.id } });
    expect(text).toContain(name);
    expect(text).not.toContain('New group');
  });

  it('get the members that were searched for, and lose them', async () => {
    const { as, db, organization } = scene;
    const page = await newGroup('Auditors');
    const added = await newMember(db, organization.id, 'MEMBER');
    const results = (await as.admin.open(`${page}?search=${encodeURIComponent(added.email.slice(0, -4))}`))
      .text;
    const id = await memberIdOf(added);
    expect(results).toContain(`name="member" value="${id}"`);
    const { headers } = await as.admin.submit(`${page}/members`, { do: 'add', member: id });
    expect(headers.get('location')).toBe(`${page}?done=added`);
    expect((await groupOf('Auditors'))?.members.map(({ userId }) => userId)).toEqual([added.id]);
    const again = (await as.admin.open(`${page}?search=${encodeURIComponent(added.email)}`)).text;
    expect(again).toContain('Nobody else in the organization begins so.');
    await as.admin.submit(`${page}/members`, { do: 'remove', member: id });
    expect((await groupOf('Auditors'))?.members).toEqual([]);
  });

  it('are renamed, unless another has the name or somebody else was faster', async () => {
    const { as } = scene;
    const page = await newGroup('Night shift');
    await newGroup('Day shift');
    const taken = await as.owner.submit(`${page}/name`, { name: 'DAY SHIFT', version: '1' });
    expect([taken.status, taken.text.includes('The organization has a group of this name.')]).toEqual([
      409,
      true,
    ]);
    expect((await as.owner.submit(`${page}/name`, { name: 'Late shift', version: '1' })).status).toBe(303);
    expect((await as.owner.submit(`${page}/name`, { name: 'Other', version: '1' })).status).toBe(409);
    expect(await groupOf('Late shift')).not.toBeNull();
  });

  it('are deleted after a confirmation', async () => {
    const { as, path } = scene;
    const page = await newGroup('Old');
    expect((await as.owner.submit(`${page}/delete`)).status).toBe(422);
    expect(await groupOf('Old')).not.toBeNull();
    const { headers } = await as.owner.submit(`${page}/delete`, { confirm: 'yes' });
    expect(headers.get('location')).toBe(`${path}/groups?done=deleted`);
    expect(await groupOf('Old')).toBeNull();
  });

  it('are changed by no member, and unknown to a stranger', async () => {
    const { as, path, member } = scene;
    const page = await newGroup('Closed');
    const shown = (await as.member.open(page)).text;
    for (const each of ['Add members', 'Delete the group', 'Change the name'])
      expect(shown).not.toContain(each);
    const forms: [string, Record<string, string>][] = [
      [`${path}/groups`, { name: 'Mine' }],
      [`${page}/name`, { name: 'Mine', version: '1' }],
      [`${page}/members`, { do: 'add', member: await memberIdOf(member) }],
      [`${page}/delete`, { confirm: 'yes' }],
    ];
    for (const [form, fields] of forms) {
      expect((await as.member.submit(form, fields)).status).toBe(403);
      expect((await as.stranger.submit(form, fields)).status).toBe(404);
    }
    expect((await groupOf('Closed'))?.members).toEqual([]);
    const nowhere = `${path}/groups/${newId('Group')}`;
    expect(withoutRequestId(await as.stranger.open(page))).toEqual(
      withoutRequestId(await as.stranger.open(nowhere)),
    );
    expect((await as.owner.open(nowhere)).status).toBe(404);
  });

  it('of another organization are not found in this one', async () => {
    const { as, path } = scene;
    const page = await newGroup('Here');
    const id = page.split('/').at(-1) as string;
    const other = await newScene();
    expect((await other.as.owner.open(`${other.path}/groups/${id}`)).status).toBe(404);
    expect((await as.owner.open(`${path}/groups/${id}`)).status).toBe(200);
  });
});
