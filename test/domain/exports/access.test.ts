import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/auth/api-key.ts';
import { newOAuthWorld } from '../../support/oauth.ts';
import { newMember, newWorld, testApp } from '../../support/world.ts';
import {
  deleteExport,
  listExports,
  newExport,
  readExport,
  runExports,
  startExport,
  started,
} from './exports.ts';

const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;

describe('exportOrganization', () => {
  it('is for owners', async () => {
    const { db, organization, stranger } = await newWorld();
    const codes: Record<string, string | undefined> = {};
    for (const role of ['ADMIN', 'MEMBER', 'GUEST'] as const)
      codes[role] = codeOf(await startExport(await newMember(db, organization.id, role), organization.id));
    expect(codes).toEqual({ ADMIN: 'FORBIDDEN', MEMBER: 'FORBIDDEN', GUEST: 'FORBIDDEN' });
    expect(codeOf(await startExport(stranger, organization.id))).toBe('NOT_FOUND');
    expect(await db.prisma.organizationExport.count({ where: { organizationId: organization.id } })).toBe(0);
  });

  it('begins one at a time, and no more than three are there', async () => {
    const { owner, organization } = await newWorld();
    const first = await started(owner, organization.id);
    expect(codeOf(await startExport(owner, organization.id))).toBe('RATE_LIMITED');
    await runExports();
    for (let count = 0; count < 2; count++) {
      await started(owner, organization.id);
      await runExports();
    }
    const { errors } = await startExport(owner, organization.id);
    expect(errors?.[0]?.message).toBe('The organization has 3 archives, and may have 3. Delete one of them.');
    await deleteExport(owner, first);
    expect(codeOf(await startExport(owner, organization.id))).toBeUndefined();
  });

  it('records its start, its end and its deletion', async () => {
    const { db, owner, organization, id } = await newExport();
    const { sequence, tagManifestSha256 } = await readExport(owner, id);
    await deleteExport(owner, id);
    const events = await db.prisma.event.findMany({
      where: { organizationId: organization.id, kind: { startsWith: 'organization.export' } },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ kind, actorId, data }) => [kind, actorId, data])).toEqual([
      ['organization.exportStarted', owner.id, { after: { exportId: id } }],
      ['organization.exported', owner.id, { after: { sequence, tagManifestSha256 } }],
      ['organization.exportDeleted', owner.id, { before: { exportId: id } }],
    ]);
    expect(Number(sequence)).toBe(Number(events[0]?.sequence));
  });
});

describe('an export', () => {
  it('is seen by owners alone, and downloaded by the one who started it', async () => {
    const { db, owner, organization, stranger, id, url } = await newExport();
    const other = await newMember(db, organization.id, 'OWNER');
    expect(await readExport(other, id)).toMatchObject({ state: 'READY', url: null });
    expect(await listExports(other, organization.id)).toMatchObject({
      totalCount: 1,
      nodes: [{ id, url: null }],
    });
    expect((await listExports(owner, organization.id)).nodes[0].url).toContain('/archives/');
    const admin = await newMember(db, organization.id, 'ADMIN');
    expect(await readExport(admin, id)).toBeNull();
    expect(await listExports(admin, organization.id)).toEqual({ totalCount: 0, nodes: [] });
    expect(await readExport(stranger, id)).toBeNull();
    for (const person of [admin, stranger]) expect(codeOf(await deleteExport(person, id))).toBe('NOT_FOUND');
    expect((await (await testApp(db)).request(new URL(url).pathname)).status).toBe(200);
  });

  it('is neither started nor seen by an application of an owner', async () => {
    const { owner, organization, tokens } = await newOAuthWorld();
    const id = await started(owner, organization.id);
    await runExports();
    const application = await owner.with((await tokens()).access_token);
    expect(codeOf(await startExport(application, organization.id))).toBe('FORBIDDEN');
    expect(await readExport(application, id)).toBeNull();
  });

  it('has no URL for another credential of the same person', async () => {
    const { db, owner, id } = await newExport();
    const issued = await issueApiKey(db.prisma, { userId: owner.id, name: 'other', scopes: ['read'] });
    expect(await readExport(await owner.with(issued.secret), id)).toMatchObject({
      state: 'READY',
      url: null,
    });
  });

  it('is not served once whoever started it is no owner any more, or disabled', async () => {
    const { db, owner, organization, download } = await newExport();
    const where = { organizationId: organization.id, userId: owner.id };
    await db.prisma.membership.updateMany({ where, data: { role: 'ADMIN' } });
    expect((await download()).status).toBe(404);
    await db.prisma.membership.updateMany({ where, data: { role: 'OWNER' } });
    expect((await download()).status).toBe(200);
    await db.prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } });
    expect((await download()).status).toBe(404);
  });

  it('is not served once it is deleted, nor under the signature of another URL', async () => {
    const { db, owner, id, url, download } = await newExport();
    const app = await testApp(db);
    const token = new URL(url).pathname.split('/').at(-1);
    expect((await app.request(`/downloads/${token}`)).status).toBe(403);
    expect((await app.request(`/archives/${token?.slice(0, -3)}AAA`)).status).toBe(403);
    await deleteExport(owner, id);
    expect((await download()).status).toBe(404);
    expect(codeOf(await deleteExport(owner, id))).toBe('NOT_FOUND');
  });
});
