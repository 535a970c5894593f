import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { fromNow, MINUTE } from '../../../src/lib/time.ts';
import { withApp } from '../../support/factors.ts';
import { newMember, type Person } from '../../support/world.ts';
import { HOSTILE, newScene, withoutRequestId } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let page: string;
let rule: string;

beforeEach(async () => {
  scene = await newScene();
  page = `${scene.path}/settings`;
  rule = `${page}/second-factor`;
});

const stored = () => scene.db.prisma.organization.findUniqueOrThrow({ where: { id: scene.organization.id } });

/** Gives a person a second factor that they have just been asked for, where they are signed in. */
async function addFactor(person: Person): Promise<void> {
  await withApp(scene.db, person);
  const data = { authenticatedAt: new Date() };
  await scene.db.prisma.signIn.updateMany({ where: { userId: person.id }, data });
}

const ON = { required: 'yes', confirm: 'yes' };

describe('the settings of an organization in the console', () => {
  it('change its name, for owners and admins', async () => {
    const { headers } = await scene.as.admin.submit(`${page}/name`, { name: 'Lighthouse' });
    expect(headers.get('location')).toBe(`${page}?done=renamed`);
    expect(await stored()).toMatchObject({ name: 'Lighthouse' });
    expect((await scene.as.owner.open(page)).text).toContain('value="Lighthouse"');
  });

  it('keep a name that is refused in the form', async () => {
    const { status, text } = await scene.as.owner.submit(`${page}/name`, { name: `${HOSTILE}\u202e` });
    expect([status, text.includes('href="#name"')]).toEqual([422, true]);
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(await stored()).toMatchObject({ name: 'Harbor' });
  });

  it('say what becomes of comments of erased people', async () => {
    const { as } = scene;
    const none = await as.admin.submit(`${page}/erased-comments`, { erasedComments: 'ALL' });
    expect([none.status, none.text.includes('href="#erasedComments"')]).toEqual([422, true]);
    expect(await stored()).toMatchObject({ erasedComments: 'KEEP' });
    const { headers } = await as.admin.submit(`${page}/erased-comments`, { erasedComments: 'REDACT' });
    expect(headers.get('location')).toBe(`${page}?done=comments`);
    expect(await stored()).toMatchObject({ erasedComments: 'REDACT' });
    expect((await as.owner.open(page)).text).toMatch(/value="REDACT" checked/);
    const refused = await as.member.submit(`${page}/erased-comments`, { erasedComments: 'KEEP' });
    expect([refused.status, (await stored()).erasedComments]).toEqual([403, 'REDACT']);
  });

  it('are for nobody else', async () => {
    const { as, organization } = scene;
    expect((await as.member.open(page)).status).toBe(403);
    expect((await as.member.open(scene.path)).text).not.toContain(page);
    expect((await as.member.submit(`${page}/name`, { name: 'Mine' })).status).toBe(403);
    expect((await as.stranger.submit(`${page}/name`, { name: 'Mine' })).status).toBe(404);
    const unknown = page.replace(organization.id, newId('Organization'));
    const answers = [await as.stranger.open(page), await as.stranger.open(unknown)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(withoutRequestId(answers[0] as never)).toEqual(withoutRequestId(answers[1] as never));
    expect(await stored()).toMatchObject({ name: 'Harbor' });
  });
});

describe('the rule that members need a second factor', () => {
  it('is switched on and off by an owner who has one, with a confirmation', async () => {
    await addFactor(scene.owner);
    const { as } = scene;
    const unconfirmed = await as.owner.submit(rule, { required: 'yes' });
    expect([unconfirmed.status, unconfirmed.text.includes('href="#confirm"')]).toEqual([422, true]);
    expect(await stored()).toMatchObject({ requiresSecondFactor: false });
    const on = await as.owner.submit(rule, ON);
    expect(on.headers.get('location')).toBe(`${page}?done=required`);
    expect(await stored()).toMatchObject({ requiresSecondFactor: true });
    expect((await as.owner.open(page)).text).toContain('Stop requiring it');
    const off = await as.owner.submit(rule, { required: 'no', confirm: 'yes' });
    expect(off.headers.get('location')).toBe(`${page}?done=optional`);
    expect(await stored()).toMatchObject({ requiresSecondFactor: false });
  });

  it('shows before who has none, and says what stops', async () => {
    const { as, owner, admin, member } = scene;
    await addFactor(owner);
    const { status, text } = await as.owner.open(rule);
    expect(status).toBe(200);
    for (const each of [admin.email, member.email, 'cannot use this organization in the browser'])
      expect(text).toContain(each);
    expect(text).not.toContain(owner.email);
  });

  it('leads an owner without a second factor to set one up, and stays off', async () => {
    const { text } = await scene.as.owner.open(rule);
    expect(text).toContain('Add a second factor to your own account first');
    expect(text).toContain('href="/account/second-factors"');
    expect(text).not.toContain('name="confirm"');
    expect((await scene.as.owner.submit(rule, ON)).status).toBe(409);
    expect(await stored()).toMatchObject({ requiresSecondFactor: false });
  });

  it('needs a proof within ten minutes', async () => {
    await addFactor(scene.owner);
    const authenticatedAt = fromNow(-11 * MINUTE);
    await scene.db.prisma.signIn.updateMany({ where: { userId: scene.owner.id }, data: { authenticatedAt } });
    const confirm = `/account/confirm?return_to=${encodeURIComponent(rule)}`;
    expect((await scene.as.owner.open(rule)).headers.get('location')).toBe(confirm);
    expect((await scene.as.owner.submit(rule, ON)).headers.get('location')).toBe(confirm);
    expect(await stored()).toMatchObject({ requiresSecondFactor: false });
  });

  it('is shown to admins, whom it is closed to, and to nobody else', async () => {
    const { as, admin } = scene;
    await addFactor(admin);
    expect((await as.admin.open(page)).text).toContain('Only owners change this.');
    expect((await as.admin.submit(rule, ON)).status).toBe(403);
    expect((await as.member.open(rule)).status).toBe(403);
    expect((await as.stranger.submit(rule, ON)).status).toBe(404);
    expect(await stored()).toMatchObject({ requiresSecondFactor: false });
  });

  it('leads a member without a second factor to set one up, from each page of the organization', async () => {
    const { as, owner, path } = scene;
    await addFactor(owner);
    await as.owner.submit(rule, ON);
    expect((await as.member.open(`${path}/people`)).headers.get('location')).toBe('/console');
    const { text } = await as.member.open('/console');
    expect(text).toContain('Add a second factor to your account');
    expect(text).toContain('Harbor');
    expect(text).not.toContain(`href="${path}"`);
    expect(text).not.toContain('You are in no organization yet');
    await addFactor(scene.member);
    expect((await as.member.open(`${path}/people`)).status).toBe(200);
    expect((await as.member.open('/console')).text).not.toContain('Add a second factor');
  });
});

describe('the list of people', () => {
  it('shows owners and admins who has no second factor, and finds them', async () => {
    const { as, db, owner, member, path } = scene;
    await withApp(db, owner);
    for (const person of [as.owner, as.admin]) {
      const without = (await person.open(`${path}/people?factor=without`)).text;
      expect([without.includes(member.email), without.includes(`${owner.email}<`)]).toEqual([true, false]);
      expect(without).toContain('No second factor');
      const having = (await person.open(`${path}/people?factor=with`)).text;
      expect([having.includes(member.email), having.includes(`${owner.email}<`)]).toEqual([false, true]);
    }
  });

  it('says of nobody to a member whether they have one', async () => {
    const { as, path, organization, db } = scene;
    await newMember(db, organization.id, 'MEMBER');
    const { text } = await as.member.open(`${path}/people`);
    expect(text).not.toContain('second factor');
    expect(text).not.toContain('name="factor"');
    for (const factor of ['with', 'without'])
      expect((await as.member.open(`${path}/people?factor=${factor}`)).text).toContain(
        'There is nobody like that.',
      );
  });
});
