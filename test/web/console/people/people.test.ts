import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/lib/id.ts';
import { Browser, newApp, type Page, withPassword } from '../../../support/browser.ts';
import { newPerson } from '../../../support/world.ts';
import { HOSTILE, newScene, withoutRequestId } from '../scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

const memberIdOf = async ({ id }: { id: string }): Promise<string> => {
  const where = { userId: id, organizationId: scene.organization.id };
  return (await scene.db.prisma.membership.findFirstOrThrow({ where })).id;
};

const invite = (email: string, role = 'MEMBER') =>
  scene.as.owner.submit(`${scene.path}/people/invite`, { email, role });

const invitationOf = (email: string) =>
  scene.db.prisma.invitation.findFirst({ where: { email, organizationId: scene.organization.id } });

describe('the people of an organization in the console', () => {
  it('are all listed for a member, without the forms of those who manage', async () => {
    const { owner, admin, as, path } = scene;
    const { status, text } = await as.member.open(`${path}/people`);
    expect(status).toBe(200);
    expect(text).toContain('<title>People – Harbor – Docgraph</title>');
    for (const { email } of [owner, admin]) expect(text).toContain(email);
    for (const each of ['Invite people', 'Open invitations', `people/${await memberIdOf(owner)}`])
      expect(text).not.toContain(each);
  });

  it.each(['owner', 'admin'] as const)('are changed by the %s', async (role) => {
    const { as, path, member } = scene;
    const { text } = await as[role].open(`${path}/people`);
    expect(text).toContain('Invite people');
    expect(text).toContain(`href="${path}/people/${await memberIdOf(member)}"`);
    expect(text.includes('<option value="OWNER"')).toBe(role === 'owner');
  });

  it('are as unknown to a stranger as those of an organization that does not exist', async () => {
    const { as, path, member } = scene;
    const nowhere = `/console/${newId('Organization')}`;
    for (const below of ['', '/people', `/people/${await memberIdOf(member)}`, '/projects']) {
      const answer = await as.stranger.open(path + below);
      expect(answer.status).toBe(404);
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(await as.stranger.open(nowhere + below)));
    }
  });

  it('are shown after a sign-in to who is not signed in', async () => {
    const answer = await scene.app.request(`http://docgraph.test${scene.path}/people?search=a`);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/sign-in?return_to=${encodeURIComponent(`${scene.path}/people?search=a`)}`,
    ]);
  });

  it('are found by the beginning of a name or of an address', async () => {
    const { as, path, admin, owner } = scene;
    const { text } = await as.member.open(
      `${path}/people?search=${encodeURIComponent(admin.email.slice(0, 16))}`,
    );
    expect(text).toContain(admin.email);
    expect(text).not.toContain(owner.email);
  });
});

describe('an invitation in the console', () => {
  it('is sent to each of several addresses', async () => {
    const [a, b] = [`a${newId('User')}@example.test`, `b${newId('User')}@example.test`];
    const { status, headers } = await invite(`${a},\n${b}`, 'GUEST');
    expect([status, headers.get('location')]).toEqual([303, `${scene.path}/people?done=invited#invitations`]);
    const { text } = await scene.as.admin.open(`${scene.path}/people?done=invited`);
    expect(text).toContain('The invitations are on their way.');
    for (const email of [a, b]) {
      expect(text).toContain(email.toLowerCase());
      expect(await invitationOf(email.toLowerCase())).toMatchObject({ role: 'GUEST' });
    }
  });

  it('names the address that is wrong, and keeps what was typed', async () => {
    const { status, text } = await invite(`good@example.test, ${HOSTILE}`);
    expect(status).toBe(422);
    expect(text).toContain('<title>Error: People');
    expect(text).toContain('href="#email"');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('good@example.test, &lt;script&gt;');
    expect(await invitationOf('good@example.test')).toBeNull();
  });

  it('is withdrawn, and sent again not at once', async () => {
    const email = `${newId('User')}@example.test`.toLowerCase();
    await invite(email);
    const invitation = (await invitationOf(email))?.id ?? '';
    const path = `${scene.path}/people/invitations`;
    const resent = await scene.as.owner.submit(path, { invitation, do: 'resend' });
    expect(resent.status).toBe(409);
    await scene.as.owner.submit(path, { invitation, do: 'withdraw' });
    expect((await scene.as.owner.open(`${scene.path}/people`)).text).not.toContain(email);
  });

  it('is no business of a member, nor of a stranger', async () => {
    const email = `${newId('User')}@example.test`.toLowerCase();
    const form = { email, role: 'MEMBER' };
    expect((await scene.as.member.submit(`${scene.path}/people/invite`, form)).status).toBe(403);
    expect((await scene.as.stranger.submit(`${scene.path}/people/invite`, form)).status).toBe(404);
    expect(await invitationOf(email)).toBeNull();
  });

  it('is accepted by the person on the first page', async () => {
    const { as, stranger, path } = scene;
    await invite(stranger.email);
    const { text } = await as.stranger.open('/console');
    expect(text).toContain('You are invited');
    const invitation = (await invitationOf(stranger.email))?.id ?? '';
    const answer = await as.stranger.submit('/console', { invitation, answer: 'decline' });
    expect(answer.headers.get('location')).toBe('/console?done=declined');
    expect((await as.stranger.open(path)).status).toBe(404);
  });
});

describe('a member in the console', () => {
  const joined = async () => {
    const { db, organization, owner } = scene;
    const person = await newPerson(db);
    const id = newId('Membership');
    const data = { id, organizationId: organization.id, userId: person.id, createdById: owner.id };
    await db.prisma.membership.create({ data: { ...data, role: 'MEMBER' } });
    return { person, id };
  };

  it('gets another role', async () => {
    const { id } = await joined();
    const { headers } = await scene.as.admin.submit(`${scene.path}/people/${id}/role`, { role: 'GUEST' });
    expect(headers.get('location')).toBe(`${scene.path}/people?done=changed`);
    expect(await scene.db.prisma.membership.findUniqueOrThrow({ where: { id } })).toMatchObject({
      role: 'GUEST',
    });
  });

  it('is removed with a confirmation only', async () => {
    const { id } = await joined();
    const path = `${scene.path}/people/${id}/remove`;
    const unconfirmed = await scene.as.admin.submit(path);
    expect([unconfirmed.status, unconfirmed.text.includes('href="#confirm"')]).toEqual([422, true]);
    const { headers } = await scene.as.admin.submit(path, { confirm: 'yes' });
    expect(headers.get('location')).toBe(`${scene.path}/people?done=removed`);
    expect((await scene.as.admin.open(`${scene.path}/people/${id}`)).status).toBe(404);
  });

  it('is an owner only by the word of an owner', async () => {
    const { id } = await joined();
    const { status, text } = await scene.as.admin.submit(`${scene.path}/people/${id}/role`, {
      role: 'OWNER',
    });
    expect([status, text.includes('role="alert"')]).toEqual([403, true]);
    const ownerId = await memberIdOf(scene.owner);
    const page = await scene.as.admin.open(`${scene.path}/people/${ownerId}`);
    expect(page.text).toContain('Only owners change or remove owners.');
  });

  it('with a hostile name is shown as text', async () => {
    const { person, id } = await joined();
    await scene.db.prisma.user.update({ where: { id: person.id }, data: { name: HOSTILE } });
    for (const below of ['/people', `/people/${id}`]) {
      const { text } = await scene.as.owner.open(scene.path + below);
      expect(text).toContain('&lt;script&gt;alert');
      expect(text).not.toContain('<script>alert');
    }
  });

  it('is shown on no page of another organization', async () => {
    const elsewhere = (await scene.stranger.graph('{ viewer { organizations(first: 1) { nodes { id } } } }'))
      .data.viewer.organizations.nodes[0].id;
    const own = await memberIdOf(scene.member);
    expect((await scene.as.stranger.open(`/console/${elsewhere}/people/${own}`)).status).toBe(404);
  });
});

describe('a form of the console', () => {
  it('of another session, of another site or without a token changes nothing', async () => {
    const { as, path, admin } = scene;
    const form = { email: 'forged@example.test', role: 'MEMBER' };
    const url = `${path}/people/invite`;
    const foreign =
      /name="form_token" value="([^"]*)"/.exec((await as.admin.open('/account')).text)?.[1] ?? '';
    expect(admin.email).toBeTruthy();
    for (const token of ['', 'wrong', foreign]) {
      const { status } = await as.owner.browser.post(url, { ...form, form_token: token });
      expect([token, status]).toEqual([token, 403]);
    }
    expect(await invitationOf('forged@example.test')).toBeNull();
  });
});

describe('a page of the console', () => {
  it('counts as a request to the API', async () => {
    const { db, owner, path } = scene;
    const app = await newApp(db, { env: { REQUESTS_PER_MINUTE: '5' } });
    const browser = new Browser(app);
    await browser.signIn(await withPassword(db, owner));
    const answers: Page[] = [];
    for (let each = 0; each < 6; each++) answers.push(await browser.open(`${path}/people`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[5]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answers[5]?.text).toContain('Too many requests');
  });
});

describe('the projects of an organization in the console', () => {
  const page = () => `${scene.path}/projects/${scene.project.id}/people`;

  it('are listed, each with who takes part', async () => {
    const { as, path, project, admin } = scene;
    expect((await as.owner.open(`${path}/projects`)).text).toContain(`${path}/projects/${project.id}`);
    await as.owner.submit(`${page()}/add`, { email: admin.email, role: 'VIEWER' });
    expect((await as.owner.open(page())).text).toContain(admin.email);
  });

  it('take people in, and let them go', async () => {
    const { as, member, db, project } = scene;
    const where = { userId: member.id, projectId: project.id };
    const added = await as.admin.submit(`${page()}/add`, { email: member.email, role: 'VIEWER' });
    expect(added.headers.get('location')).toBe(`${page()}?done=added`);
    const { id } = await db.prisma.projectMember.findFirstOrThrow({ where });
    await as.admin.submit(`${page()}/members`, { member: id, do: 'change', role: 'EDITOR' });
    expect(await db.prisma.projectMember.findFirst({ where })).toMatchObject({ role: 'EDITOR' });
    await as.admin.submit(`${page()}/members`, { member: id, do: 'remove', role: 'EDITOR' });
    expect(await db.prisma.projectMember.count({ where })).toBe(0);
  });

  it('take nobody in for a member or a stranger', async () => {
    const { as, member, stranger } = scene;
    const form = { email: member.email, role: 'ADMIN' };
    const { text } = await as.member.open(page());
    expect(text).not.toContain('Add somebody');
    expect((await as.member.submit(`${page()}/add`, form)).status).toBe(403);
    expect((await as.stranger.submit(`${page()}/add`, form)).status).toBe(404);
    const unknown = await as.owner.submit(`${page()}/add`, { email: stranger.email, role: 'VIEWER' });
    expect([unknown.status, unknown.text.includes(stranger.email)]).toEqual([422, true]);
  });

  it('are found under their own organization only', async () => {
    const { as, path } = scene;
    expect((await as.owner.open(`${path}/projects/${newId('Project')}/people`)).status).toBe(404);
  });
});
