import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { disposeOfDocuments } from '../../../src/domain/disposition/dispose.ts';
import { createFields } from '../../../src/domain/fields/field-change.ts';
import { toHex } from '../../../src/lib/text/hex.ts';
import { newDocuments } from '../../support/storage.ts';
import { HOSTILE, newScene } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let page: string;

beforeEach(async () => {
  scene = await newScene();
  page = `${scene.path}/retention`;
});

const RULE = { name: 'Contracts', keep: '1', keepUnit: 'Y', startsFrom: 'CREATED', action: 'PURGE' };

/** Creates a policy in the console; gives its page. */
async function create(given: Record<string, string> = {}): Promise<string> {
  const { headers } = await scene.as.admin.submit(page, { ...RULE, ...given });
  return headers.get('location') ?? '';
}

const policy = () =>
  scene.db.prisma.retentionPolicy.findFirstOrThrow({
    where: { organizationId: scene.organization.id },
    include: { assignments: true },
  });

describe('the retention of an organization in the console', () => {
  it('has a policy that an admin creates, assigns to a project and changes', async () => {
    const { as, project } = scene;
    const path = await create({ name: HOSTILE });
    await as.admin.submit(`${path}/assign`, { scope: 'project', project: project.id });
    await as.admin.submit(`${path}/change`, { ...RULE, name: 'Bills', keep: ' 2 ' });
    expect(await policy()).toMatchObject({
      ...{ name: 'Bills', keepMonths: 24 },
      assignments: [{ scope: 'PROJECT', projectId: project.id }],
    });
    const { text } = await as.member.open(page);
    expect(text).toContain('2 years from the creation of the document; then it is purged.');
    expect(text).toContain('Project Quay');
    expect(text).not.toContain('New policy');
  });

  it.each([
    ['P10Y', 'Y', 'Must be a whole number from 1'],
    ['', 'D', 'Must be a whole number from 1'],
    ['9999', 'Y', 'Must be'],
    ['10', '', 'Must be'],
  ])('keeps a time of "%s" "%s" in the form, which is refused', async (keep, keepUnit, reason) => {
    const given = { ...RULE, keep, keepUnit, name: HOSTILE };
    const { status, text } = await scene.as.owner.submit(page, given);
    expect([status, text.includes('href="#keep"'), text.includes(`value="${keep}"`)]).toEqual([
      ...[422, true, true],
    ]);
    expect(text).toContain(reason);
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(await scene.db.prisma.retentionPolicy.count({ where: { name: HOSTILE } })).toBe(0);
  });

  it('has a policy for ever, whose page offers that again', async () => {
    const { text } = await scene.as.owner.open(await create({ keep: '', keepUnit: 'FOREVER' }));
    expect(await policy()).toMatchObject({ keepMonths: null, keepDays: null });
    expect(text).toMatch(/<option value="FOREVER" selected/);
  });

  it('shows what a change would do, without doing it', async () => {
    const { as, owner, db, project } = scene;
    await newDocuments(await owner.context(), project.id, [{ name: 'old.txt' }]);
    await db.query(
      sql`UPDATE documents d SET created_at = created_at - interval '400 days' WHERE d.project_id = ${project.id}`,
    );
    const path = await create({ keep: '2' });
    await as.admin.submit(`${path}/assign`, { scope: 'wholeOrganization' });
    const { text } = await as.admin.submit(`${path}/change`, { ...RULE, do: 'preview' });
    expect(text).toContain('What the change would do');
    expect(text).toContain('old.txt');
    expect(await policy()).toMatchObject({ keepMonths: 24 });
  });

  it('is assigned to a value of a field, which is found by its project', async () => {
    const { as, owner, project } = scene;
    const [field] = await createFields(await owner.context(), {
      projectId: project.id,
      fields: [{ name: 'Type', type: 'TEXT', choices: true, newChoicesAllowed: true, newChoicesSaved: true }],
    });
    const fieldId = field?.id as string;
    await scene.db.prisma.fieldListItem.create({
      data: { organizationId: scene.organization.id, id: 'fli_x', fieldId, value: 'Invoice', rank: 0 },
    });
    const path = await create();
    expect((await as.admin.open(`${path}?search=qu`)).text).toContain(`?project=${project.id}#assign`);
    expect((await as.admin.open(`${path}?project=${project.id}`)).text).toContain('value="Invoice"');
    await as.admin.submit(`${path}/assign`, { scope: 'choice', field: fieldId, value: 'Invoice' });
    expect((await policy()).assignments).toMatchObject([{ scope: 'CHOICE', fieldId, choice: 'Invoice' }]);
  });

  it('locks a policy after a fresh proof and a confirmation, and offers no way back', async () => {
    const { as, db, owner } = scene;
    const path = await create();
    await as.owner.submit(`${path}/assign`, { scope: 'wholeOrganization' });
    const stale = { data: { authenticatedAt: new Date(1) }, where: { userId: owner.id } };
    await db.prisma.signIn.updateMany(stale);
    const unproved = await as.owner.submit(`${path}/lock`, { confirm: 'yes' });
    expect(unproved.headers.get('location')).toContain('/account/confirm');
    await db.prisma.signIn.updateMany({ ...stale, data: { authenticatedAt: new Date() } });
    expect((await as.owner.submit(`${path}/lock`)).status).toBe(422);
    await as.owner.submit(`${path}/lock`, { confirm: 'yes' });
    expect((await policy()).lockedAt).toBeInstanceOf(Date);
    const { text } = await as.owner.open(path);
    expect(text).not.toMatch(/\/(?:unassign|delete|lock)"/);
    const { status } = await as.owner.submit(`${path}/delete`);
    expect(status).toBe(409);
  });

  it('gives admins the certificate of a disposal, byte by byte, and members none', async () => {
    const { as, owner, db, project, organization } = scene;
    await newDocuments(await owner.context(), project.id, [{ name: 'old.txt' }]);
    await db.query(
      sql`UPDATE documents d SET created_at = created_at - interval '400 days' WHERE d.project_id = ${project.id}`,
    );
    const path = await create();
    await as.admin.submit(`${path}/assign`, { scope: 'wholeOrganization' });
    await disposeOfDocuments(await owner.context());
    const disposal = await db.prisma.disposal.findFirstOrThrow({
      where: { organizationId: organization.id },
    });
    const href = `${page}/disposals/${disposal.id}`;
    expect((await as.admin.open(page)).text).toContain(`href="${href}"`);
    const { text } = await as.admin.open(href);
    expect(createHash('sha256').update(text).digest('hex')).toBe(toHex(disposal.sha256));
    expect([(await as.member.open(href)).status, (await as.stranger.open(href)).status]).toEqual([404, 404]);
  });

  it('is changed by no member, and unseen by strangers', async () => {
    const { as } = scene;
    const path = await create();
    expect((await as.member.open(path)).text).not.toContain('Change it');
    expect((await as.member.submit(`${path}/change`, { ...RULE, keepUnit: 'D' })).status).toBe(403);
    expect([(await as.stranger.open(path)).status, (await as.stranger.open(page)).status]).toEqual([
      404, 404,
    ]);
    expect(await policy()).toMatchObject({ keepMonths: 12 });
  });
});
