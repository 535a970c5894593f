import { beforeEach, describe, expect, it } from 'vitest';
import { fromNow, MINUTE } from '../../../src/lib/time.ts';
import { runExports } from '../../domain/exports/exports.ts';
import { newMember } from '../../support/world.ts';
import { newScene, visitorsOf, withoutRequestId } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let page: string;

beforeEach(async () => {
  scene = await newScene();
  page = `${scene.path}/export`;
});

const exportOf = () =>
  scene.db.prisma.organizationExport.findFirst({ where: { organizationId: scene.organization.id } });

const downloadOf = ({ text }: { text: string }) => /href="([^"]*\/archives\/[^"]+)"/.exec(text)?.[1];

describe('the exports of an organization in the console', () => {
  it('are started, downloaded and deleted by an owner', async () => {
    const { as, app } = scene;
    await as.owner.submit(page);
    expect((await as.owner.open(page)).text).toContain('Waits');
    await runExports();
    const url = downloadOf(await as.owner.open(page)) ?? '';
    const archive = await app.request(new URL(url).pathname);
    expect([archive.status, archive.headers.get('content-type')]).toEqual([200, 'application/x-tar']);
    await as.owner.submit(`${page}/${(await exportOf())?.id}/delete`);
    expect((await as.owner.open(page)).text).toContain('There is none.');
    expect(await exportOf()).toBeNull();
  });

  it('are shown to another owner, who gets no link', async () => {
    const { as, app, db, organization } = scene;
    await as.owner.submit(page);
    await runExports();
    const other = await visitorsOf(db, app)(await newMember(db, organization.id, 'OWNER'));
    const shown = await other.open(page);
    expect(downloadOf(shown)).toBeUndefined();
    expect(shown.text).toContain('Only the person who started it can download it.');
  });

  it('say why another one is refused', async () => {
    await scene.as.owner.submit(page);
    const { status, text } = await scene.as.owner.submit(page);
    expect([status, text.includes('role="alert"')]).toEqual([429, true]);
  });

  it.each(['admin', 'member', 'stranger'] as const)('are not shown to the %s', async (name) => {
    const { as, path, organization } = scene;
    await as.owner.submit(page);
    const visitor = as[name];
    const answers = [
      await visitor.open(page),
      await visitor.submit(page),
      await visitor.submit(`${page}/${(await exportOf())?.id}/delete`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(3).fill(name === 'stranger' ? 404 : 403));
    const unknown = await visitor.open(page.replace(organization.id, `org_${'0'.repeat(26)}`));
    if (name === 'stranger') expect(answers.map(withoutRequestId)).toContainEqual(withoutRequestId(unknown));
    expect((await visitor.open(path)).text).not.toContain('/export"');
    expect(await exportOf()).toMatchObject({ state: 'QUEUED' });
  });

  it('are started after a fresh proof alone', async () => {
    const { as, db, owner } = scene;
    const authenticatedAt = fromNow(-11 * MINUTE);
    await db.prisma.signIn.updateMany({ where: { userId: owner.id }, data: { authenticatedAt } });
    const { status, headers } = await as.owner.submit(page);
    expect([status, headers.get('location')]).toEqual([
      303,
      `/account/confirm?return_to=${encodeURIComponent(page)}`,
    ]);
    expect(await exportOf()).toBeNull();
  });
});
