import { beforeAll, describe, expect, it } from 'vitest';
import { newClient } from '../../../support/oauth.ts';
import { newScene } from '../scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

const newApplication = async (facts: Parameters<typeof newClient>[2] = {}) => {
  const client = await newClient(scene.owner, scene.organization.id, facts);
  return { ...client, page: `${scene.path}/apps/${client.id}` };
};

const memberOf = (clientId: string) =>
  scene.db.prisma.membership.findFirst({ where: { user: { serviceClientId: clientId } } });

describe('a service account in the console', () => {
  it('is created on the page of its application, and shown among the people', async () => {
    const { as, path } = scene;
    const { id, page } = await newApplication({ name: 'Ledger robot' });
    const before = (await as.admin.open(page)).text;
    expect(before).toContain('Create a service account');
    expect(before).not.toContain('grant_type=client_credentials');
    const { headers } = await as.admin.submit(`${page}/service-account`, { role: 'MEMBER' });
    expect(headers.get('location')).toBe(`${page}?done=serviceAccount`);
    const member = await memberOf(id);
    expect(member).toMatchObject({ role: 'MEMBER', createdById: scene.admin.id });
    const { text } = await as.admin.open(page);
    expect(text).toContain(`${path}/people/${member?.id}`);
    expect(text).toContain('grant_type=client_credentials');
    const people = (await as.member.open(`${path}/people`)).text;
    expect(people).toContain('Service account');
    const shown = (await as.admin.open(`${path}/people/${member?.id}`)).text;
    expect(shown).toContain(`href="${page}"`);
    expect(shown).not.toContain('value="OWNER"');
  });

  it('is created with a fresh proof only', async () => {
    const { as, db, admin } = scene;
    const { id, page } = await newApplication();
    const past = { authenticatedAt: new Date(Date.now() - 3_600_000) };
    await db.prisma.signIn.updateMany({ where: { userId: admin.id }, data: past });
    const { headers } = await as.admin.submit(`${page}/service-account`, { role: 'MEMBER' });
    await db.prisma.signIn.updateMany({ where: { userId: admin.id }, data: { authenticatedAt: new Date() } });
    expect(headers.get('location')).toBe(`/account/confirm?return_to=${encodeURIComponent(page)}`);
    expect(await memberOf(id)).toBeNull();
  });

  it('gets another role, and is deleted, on its own page', async () => {
    const { as, path } = scene;
    const { id, page } = await newApplication();
    await as.admin.submit(`${page}/service-account`, { role: 'MEMBER' });
    const people = `${path}/people/${(await memberOf(id))?.id}`;
    await as.admin.submit(`${people}/role`, { role: 'GUEST' });
    expect(await memberOf(id)).toMatchObject({ role: 'GUEST' });
    expect((await as.owner.submit(`${people}/role`, { role: 'OWNER' })).status).toBe(422);
    await as.admin.submit(`${people}/remove`, { confirm: 'yes' });
    expect(await memberOf(id)).toBeNull();
    expect((await as.admin.open(page)).text).toContain('Create a service account');
  });

  it('is created by no member, nor stranger, nor a second time, nor with a role that there is not', async () => {
    const { as } = scene;
    const { id, page } = await newApplication();
    const form = { role: 'MEMBER' };
    expect((await as.member.open(page)).text).not.toContain('Create a service account');
    const refused = [
      await as.member.submit(`${page}/service-account`, form),
      await as.stranger.submit(`${page}/service-account`, form),
      await as.admin.submit(`${page}/service-account`, { role: 'OWNER' }),
      await as.admin.submit(`${page}/service-account`, { role: 'KING' }),
    ];
    expect([refused.map(({ status }) => status), await memberOf(id)]).toEqual([[403, 404, 422, 422], null]);
    await as.admin.submit(`${page}/service-account`, form);
    expect((await as.admin.submit(`${page}/service-account`, form)).status).toBe(409);
  });

  it('is not offered for an application that keeps no secret', async () => {
    const { page } = await newApplication({ kind: 'PUBLIC' });
    expect((await scene.as.admin.open(page)).text).not.toContain('Service account');
  });

  it('is added to a project by its address', async () => {
    const { as, path, project, db } = scene;
    const { id, page } = await newApplication();
    await as.admin.submit(`${page}/service-account`, { role: 'MEMBER' });
    const user = await db.prisma.user.findFirstOrThrow({ where: { serviceClientId: id } });
    await as.owner.submit(`${path}/projects/${project.id}/people/add`, { email: user.email, role: 'EDITOR' });
    const members = await db.prisma.projectMember.findMany({ where: { userId: user.id } });
    expect(members).toMatchObject([{ projectId: project.id, role: 'EDITOR' }]);
  });
});
