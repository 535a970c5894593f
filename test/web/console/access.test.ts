import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { newClient } from '../../support/oauth.ts';
import { HOSTILE, newScene, withoutRequestId } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let access: string;
let clientId: string;

beforeAll(async () => {
  scene = await newScene();
  const { db, stranger, member, path } = scene;
  const theirs = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  clientId = (await newClient(stranger, theirs.organizationId)).id;
  await db.prisma.client.update({ where: { id: clientId }, data: { name: HOSTILE } });
  await db.prisma.grant.create({
    data: {
      id: newId('Grant'),
      clientId,
      userId: member.id,
      scopes: ['read'],
      lastUsedAt: new Date('2026-05-06T07:08Z'),
    },
  });
  access = `${path}/access`;
});

const stored = () =>
  scene.db.prisma.organizationApplication.findUnique({
    where: { organizationId_clientId: { organizationId: scene.organization.id, clientId } },
  });

describe('applications of others in the console', () => {
  it('are listed with their users, scopes and last use for owners and admins', async () => {
    for (const person of [scene.as.owner, scene.as.admin]) {
      const list = await person.open(access);
      expect(list.status).toBe(200);
      for (const each of ['Elsewhere', '1 member lets it: read.', '2026-05-06 07:08 UTC', 'Allowed'])
        expect(list.text).toContain(each);
      const page = await person.open(`${access}/${clientId}`);
      for (const each of [scene.member.email, clientId, '2026-05-06 07:08 UTC'])
        expect(page.text).toContain(each);
      for (const { text } of [list, page]) expect(text).not.toContain(HOSTILE);
    }
    expect((await scene.as.owner.open(`${access}?waiting=yes`)).text).toContain('Nobody waits.');
  });

  it('are for owners and admins alone, and a stranger sees what everybody sees of nothing', async () => {
    const { as } = scene;
    const forms = [`${access}/${clientId}`, `${access}/${clientId}/revoke`, access];
    for (const path of [access, `${access}/${clientId}`]) {
      expect((await as.member.open(path)).status).toBe(403);
      const unknown = path.replace(scene.organization.id, newId('Organization'));
      expect(withoutRequestId(await as.stranger.open(path))).toEqual(
        withoutRequestId(await as.stranger.open(unknown)),
      );
    }
    for (const path of forms) {
      const fields = { decision: 'REFUSED', confirm: 'yes', applicationPolicy: 'NONE' };
      expect((await as.member.submit(path, fields)).status).toBe(403);
      expect((await as.stranger.submit(path, fields)).status).toBe(404);
    }
    expect(await stored()).toBeNull();
    expect((await as.member.open(scene.path)).text).not.toContain('Applications of others');
    expect((await as.owner.open(`${access}/${newId('Client')}`)).status).toBe(404);
  });

  it('are approved, refused and undecided again', async () => {
    const { as } = scene;
    const page = `${access}/${clientId}`;
    for (const decision of ['APPROVED', 'REFUSED', '']) {
      const answer = await as.admin.submit(page, { decision });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${page}?done=decided`]);
      expect((await stored())?.decision).toBe(decision || null);
    }
  });

  it('are kept out by the policy, which is one of three', async () => {
    const { as, db, organization } = scene;
    const policy = async () =>
      (await db.prisma.organization.findUniqueOrThrow({ where: { id: organization.id } })).applicationPolicy;
    await as.owner.submit(access, { applicationPolicy: 'NONE' });
    expect([await policy(), (await as.owner.open(access)).text.includes('Not allowed')]).toEqual([
      'NONE',
      true,
    ]);
    const answer = await as.owner.submit(access, { applicationPolicy: 'SOME' });
    expect([answer.status, await policy()]).toEqual([422, 'NONE']);
    await as.owner.submit(access, { applicationPolicy: 'OPEN' });
  });

  it('are revoked for all once a box is checked', async () => {
    const { as } = scene;
    const page = `${access}/${clientId}`;
    const unchecked = await as.owner.submit(`${page}/revoke`);
    expect([unchecked.status, (await stored())?.revokedAt ?? null]).toEqual([422, null]);
    const answer = await as.owner.submit(`${page}/revoke`, { confirm: 'yes' });
    expect(answer.headers.get('location')).toBe(`${page}?done=revoked`);
    expect((await as.owner.open(page)).text).toContain('No member allows it.');
  });

  it('ask for action where somebody waits', async () => {
    const { as, db, organization, member } = scene;
    await db.prisma.organizationApplication.update({
      where: { organizationId_clientId: { organizationId: organization.id, clientId } },
      data: { requestedById: member.id, requestedAt: new Date() },
    });
    expect((await as.admin.open(scene.path)).text).toContain('1 application that waits for a decision');
    expect((await as.admin.open(`${access}?waiting=yes`)).text).toContain('Asked for');
  });
});
