import { beforeAll, describe, expect, it } from 'vitest';
import { addUsage } from '../../../src/domain/usage/usage-count.ts';
import { newId } from '../../../src/lib/id.ts';
import { counted } from '../../support/database.ts';
import { newClient } from '../../support/oauth.ts';
import { HOSTILE, newScene, withoutRequestId } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

const today = (): string => new Date().toISOString().slice(0, 10);

/** An application of the organization with this use on this day. */
async function usedApp(name: string, use: { requests: number; errors: number; deprecated?: string }) {
  const { db, owner, organization } = scene;
  const { id: usedBy } = await newClient(owner, organization.id, { name });
  const day = today();
  const mark = { usedBy, day, count: 3, lastAt: new Date() };
  const { requests, errors, deprecated } = use;
  await addUsage(
    db,
    [{ usedBy, day, requests, errors, points: 40_000, durations: [...Array(20).fill(0), requests] }],
    [
      { ...mark, kind: 'ERROR', name: 'RATE_LIMITED' },
      ...(deprecated ? [{ ...mark, kind: 'DEPRECATED' as const, name: deprecated }] : []),
    ],
  );
  return usedBy;
}

describe('the use of the APIs in the console', () => {
  it('lists the applications with their requests, and who uses what is deprecated', async () => {
    const { as, path } = scene;
    const id = await usedApp(`Planner ${HOSTILE}`, { requests: 1_234, errors: 3, deprecated: 'scope admin' });
    for (const visitor of [as.owner, as.admin]) {
      const { status, text } = await visitor.open(`${path}/use`);
      expect(status).toBe(200);
      expect(text).toContain('1,234 requests · 3 refused or failed · 95 % within 32 ms');
      expect(text).toContain('Uses what is deprecated');
      expect(text).toContain(`href="${path}/use/${id}#deprecated"`);
      expect(text).toContain(
        'Use organizations:read organizations:write events:read instead: no removal is planned.',
      );
      expect(text).not.toContain(HOSTILE);
      const first = (await visitor.open('/console')).text;
      expect(first).toMatch(/1\s+application that uses what is deprecated/);
    }
    expect((await as.member.open(path)).text).not.toContain('uses what is deprecated');
  });

  it('shows one application by day, by code, and by what it uses that is deprecated', async () => {
    const { as, path } = scene;
    const id = await usedApp('Reader', { requests: 10, errors: 3, deprecated: 'scope workflow' });
    const { text } = await as.owner.open(`${path}/use/${id}`);
    for (const part of [
      '<title>Reader',
      today(),
      '40,000',
      'RATE_LIMITED',
      '3 times',
      'scope workflow',
      'class="bars"',
    ])
      expect(text).toContain(part);
  });

  it('is for owners and admins; a stranger sees what does not exist', async () => {
    const { as, path } = scene;
    const id = await usedApp('Private', { requests: 1, errors: 0 });
    expect((await as.member.open(`${path}/use`)).status).toBe(403);
    expect((await as.member.open(`${path}/use/${id}`)).status).toBe(403);
    const nowhere = `/console/${newId('Organization')}`;
    for (const below of ['/use', `/use/${id}`])
      expect(withoutRequestId(await as.stranger.open(path + below))).toEqual(
        withoutRequestId(await as.stranger.open(nowhere + below)),
      );
  });

  it('shows an application below its own organization only', async () => {
    const { as, path } = scene;
    const other = await newScene();
    const foreign = await newClient(other.owner, other.organization.id);
    for (const id of [foreign.id, newId('Client'), newId('Document')])
      expect((await as.owner.open(`${path}/use/${id}`)).status).toBe(404);
  });

  it('shows the requests of one’s own key, and nobody else’s', async () => {
    const { as, owner, db } = scene;
    const { id } = await db.prisma.apiKey.findFirstOrThrow({ where: { userId: owner.id } });
    const page = `/console/keys/${id}/use`;
    expect((await as.owner.open('/console/keys')).text).toContain(`href="${page}"`);
    const { status, text } = await as.owner.open(page);
    expect([status, text.includes('Nothing deprecated was used.')]).toEqual([200, true]);
    expect((await as.admin.open(page)).status).toBe(404);
  });

  it('reads the use of all applications by the statements of one', async () => {
    const few = await newScene();
    const many = await newScene();
    await newClient(few.owner, few.organization.id);
    for (let each = 0; each < 8; each++) await newClient(many.owner, many.organization.id);
    const { statements: ofFew } = await counted(() => few.as.owner.open(`${few.path}/use`));
    const { statements: ofMany } = await counted(() => many.as.owner.open(`${many.path}/use`));
    expect(ofMany.length).toBe(ofFew.length);
  });
});
