import { beforeAll, describe, expect, it } from 'vitest';
import { newScene, type Visitor } from './scene.ts';

const PAGE = '/console/notifications';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

/** The value that is selected in a field of the page. */
const selected = async (person: Visitor, name: string): Promise<string | undefined> => {
  const { text } = await person.open(PAGE);
  const [, options = ''] = new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`, 's').exec(text) ?? [];
  return /<option value="([^"]*)" selected/.exec(options)?.[1];
};

describe('the notifications of a person in the console', () => {
  it('are chosen by kind, with the time zone of the daily mail', async () => {
    const { as, owner, db } = scene;
    const form = { MENTIONED: 'DIGEST', FOLLOWED: 'NOTHING', timeZone: 'Europe/Berlin' };
    expect((await as.owner.submit(PAGE, form)).headers.get('location')).toBe(`${PAGE}?done=saved`);
    for (const [name, value] of Object.entries({ ...form, TASK_ASSIGNED: 'MAIL' }))
      expect([name, await selected(as.owner, name)]).toEqual([name, value]);
    const own = await db.prisma.notificationPreference.findMany({ where: { userId: owner.id } });
    expect(own.map(({ kind, delivery }) => [kind, delivery]).sort()).toEqual([
      ['FOLLOWED', 'NOTHING'],
      ['MENTIONED', 'DIGEST'],
    ]);
    expect([await selected(as.admin, 'MENTIONED'), await selected(as.admin, 'timeZone')]).toEqual([
      'MAIL',
      'UTC',
    ]);
  });

  it.each([
    ['timeZone', { timeZone: 'Europe/Atlantis', MENTIONED: 'NOTHING' }],
    ['delivery', { timeZone: 'Europe/Berlin', MENTIONED: 'PIGEON' }],
  ])('stay as they are after a %s that there is not', async (_, form) => {
    const { as } = scene;
    const { status, text } = await as.member.submit(PAGE, form);
    expect([status, text.includes('role="alert"')]).toEqual([422, true]);
    expect([await selected(as.member, 'MENTIONED'), await selected(as.member, 'timeZone')]).toEqual([
      'MAIL',
      'UTC',
    ]);
  });

  it('keep a time zone by an older name', async () => {
    const { as, stranger, db } = scene;
    await db.prisma.user.update({ where: { id: stranger.id }, data: { timeZone: 'Asia/Calcutta' } });
    await db.prisma.user.update({ where: { id: scene.admin.id }, data: { timeZone: 'Asia/Kolkata' } });
    expect(await selected(as.stranger, 'timeZone')).toBe('Asia/Calcutta');
    expect(await selected(as.admin, 'timeZone')).toBe('Asia/Kolkata');
  });

  it('are changed by no form of another session', async () => {
    const { as, db, owner, admin } = scene;
    const before = await db.prisma.notificationPreference.count({ where: { userId: owner.id } });
    const token = /name="form_token" value="([^"]*)"/.exec((await as.admin.open('/account')).text)?.[1] ?? '';
    expect([admin.email !== '', token !== '']).toEqual([true, true]);
    const { status } = await as.owner.browser.post(PAGE, { form_token: token, TASK_DUE: 'NOTHING' });
    expect(status).toBe(403);
    expect(await db.prisma.notificationPreference.count({ where: { userId: owner.id } })).toBe(before);
  });
});
