import { describe, expect, it } from 'vitest';
import { notifyNext } from '../../../../src/domain/notifications/notify.ts';
import { dayIn, startOfDay } from '../../../../src/lib/local-time.ts';
import { DAY } from '../../../../src/lib/time.ts';
import { newMember } from '../../../support/world.ts';
import { newApprovalScene } from '../approvals/scene.ts';

const ZONE = 'Pacific/Auckland';
const dayAfter = (days: number) => dayIn(ZONE, new Date(Date.now() + days * DAY));

const startOf = (day: string) => startOfDay(ZONE, new Date(day));

/** People whose time zone is Auckland, and the page of one of them. */
async function scene() {
  const world = await newApprovalScene();
  const { db, ann, bob, organizationPath, membershipOf, organization } = world;
  await db.prisma.user.updateMany({ where: { id: { in: [ann.id, bob.id] } }, data: { timeZone: ZONE } });
  const path = `${organizationPath}/people/${await membershipOf(ann)}`;
  const substitutes = () => db.prisma.substitute.findMany({ where: { organizationId: organization.id } });
  return { ...world, path, substitutes, toMemberId: await membershipOf(bob) };
}

describe('the substitute of a member in the console', () => {
  it('is set by the member, for days in their time zone, and ended', async () => {
    const { ann, bob, as, path, substitutes, toMemberId } = await scene();
    const visitor = await as(ann);
    expect((await visitor.open('/console/substitutes')).text).toContain(`href="${path}#substitute"`);
    const [startsAt, endsAt] = [dayAfter(3), dayAfter(9)];
    const answer = await visitor.submit(`${path}/substitute`, { do: 'set', toMemberId, startsAt, endsAt });
    expect(answer.headers.get('location')).toBe(`${path}?done=substituteSet`);
    expect(await substitutes()).toMatchObject([
      {
        userId: ann.id,
        toId: bob.id,
        startsAt: startOf(startsAt),
        endsAt: startOf(dayAfter(10)),
      },
    ]);
    for (const page of [path, '/console/substitutes']) {
      const { text } = await visitor.open(page);
      for (const each of [startsAt, endsAt, ZONE]) expect(text).toContain(each);
    }
    expect((await visitor.submit(`${path}/substitute`, { do: 'end' })).headers.get('location')).toBe(
      `${path}?done=substituteEnded`,
    );
    expect(await substitutes()).toEqual([]);
  });

  it('is set by an owner, and by no other member', async () => {
    const { cyd, owner, stranger, as, path, substitutes, toMemberId } = await scene();
    const form = { do: 'set', toMemberId, endsAt: dayAfter(2) };
    const other = await as(cyd);
    expect((await other.open(path)).text).not.toContain('name="toMemberId"');
    expect((await other.submit(`${path}/substitute`, form)).status).toBe(403);
    expect((await (await as(stranger)).submit(`${path}/substitute`, form)).status).toBe(404);
    expect((await other.browser.post(`${path}/substitute`, form)).status).toBe(403);
    expect(await substitutes()).toEqual([]);
    expect((await (await as(owner)).submit(`${path}/substitute`, form)).status).toBe(303);
    expect(await substitutes()).toHaveLength(1);
  });

  it('is refused at its field, which keeps what was entered', async () => {
    const { db, organization, ann, as, path, substitutes, toMemberId, membershipOf } = await scene();
    const guest = await membershipOf(await newMember(db, organization.id, 'GUEST'));
    const visitor = await as(ann);
    const forms: [string, Record<string, string>][] = [
      ['toMemberId', { endsAt: dayAfter(2) }],
      ['toMemberId', { toMemberId: guest, endsAt: dayAfter(2) }],
      ['endsAt', { toMemberId, endsAt: '' }],
      ['endsAt', { toMemberId, endsAt: dayAfter(-5) }],
      ['endsAt', { toMemberId, startsAt: dayAfter(5), endsAt: dayAfter(4) }],
      ['startsAt', { toMemberId, startsAt: '2026-02-30', endsAt: dayAfter(4) }],
    ];
    for (const [field, entered] of forms) {
      const { status, text } = await visitor.submit(`${path}/substitute`, { do: 'set', ...entered });
      expect([field, entered, status, text.includes(`id="${field}-error"`)]).toEqual([
        field,
        entered,
        422,
        true,
      ]);
      if (entered.endsAt) expect(text).toContain(`value="${entered.endsAt}"`);
    }
    expect(await substitutes()).toEqual([]);
  });

  it('does not end after the last year', async () => {
    const { owner, as, path, substitutes, toMemberId } = await scene();
    const form = { do: 'set', toMemberId, endsAt: '9999-12-31' };
    const { status, text } = await (await as(owner)).submit(`${path}/substitute`, form);
    expect([status, text.includes('id="endsAt-error"')]).toEqual([422, true]);
    expect(await substitutes()).toEqual([]);
  });

  it('gets the votes in the place of the member, as their page and the inbox say', async () => {
    const { ann, bob, as, path, request, toMemberId, db } = await scene();
    await (await as(ann)).submit(`${path}/substitute`, { do: 'set', toMemberId, endsAt: dayAfter(2) });
    const { path: approval } = await request({ approvers: [ann] });
    while (await notifyNext(db));
    const visitor = await as(bob);
    for (const page of [approval, '/console/inbox'])
      expect([page, (await visitor.open(page)).text.includes('You decide in place of')]).toEqual([
        page,
        true,
      ]);
  });
});
