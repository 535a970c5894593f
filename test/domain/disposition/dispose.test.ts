import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { denyApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { createProcesses } from '../../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../../src/domain/approvals/process-start.ts';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { moveDocuments } from '../../../src/domain/documents/document-change.ts';
import { placeLegalHold } from '../../../src/domain/documents/legal-hold.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { toHex } from '../../../src/lib/text/hex.ts';
import { newDocuments } from '../../support/storage.ts';
import { newRetentionWorld } from './retention.ts';

const WHOLE = { wholeOrganization: true };

describe('the disposal of documents', () => {
  it('purges three documents whose time has ended, and keeps one that is younger and one under legal hold', async () => {
    const world = await newRetentionWorld('a', 'b', 'c', 'held', 'young');
    await world.policy({}, WHOLE);
    await world.age(400, ...['a', 'b', 'c', 'held'].map(world.idOf));
    await placeLegalHold(world.ctx, { documentIds: [world.idOf('held')], reason: 'Case 7' });
    expect(await world.dispose()).toEqual(['held', 'young']);
    expect(await world.dispose()).toEqual(['held', 'young']);
  });

  it('is proved by a certificate whose digest the log has, with the digests of all revisions and without names', async () => {
    const world = await newRetentionWorld('secret plan');
    const { db, organization } = world;
    const policy = await world.policy({ name: 'Invoices' }, WHOLE);
    await world.age(400, ...world.ids);
    const revision = await db.prisma.revision.findFirstOrThrow({
      where: { documentId: world.ids[0] },
      include: { blob: true },
    });
    await world.dispose();
    const disposal = await db.prisma.disposal.findFirstOrThrow({
      where: { organizationId: organization.id },
    });
    const digest = createHash('sha256').update(disposal.certificate).digest('hex');
    const [purged, event] = await db.prisma.event.findMany({
      where: { organizationId: organization.id, kind: { in: ['document.purged', 'documents.disposed'] } },
      orderBy: { sequence: 'asc' },
    });
    expect(toHex(disposal.sha256)).toBe(digest);
    expect(purged).toMatchObject({ kind: 'document.purged', data: { disposalId: disposal.id } });
    expect(event).toMatchObject({
      ...{ subjectId: disposal.id, actorId: null },
      data: { policyId: policy.id, documentCount: 1, certificateSha256: digest },
    });
    expect(JSON.parse(disposal.certificate)).toEqual({
      format: 'docgraph-disposal-1',
      disposalId: disposal.id,
      organizationId: organization.id,
      bytesFreed: Number(revision.size),
      policy: {
        id: policy.id,
        version: 1,
        keep: 'P1Y',
        startsFrom: 'CREATED',
        action: 'PURGE',
        locked: false,
      },
      documents: [
        {
          id: world.ids[0],
          projectId: world.project.id,
          keptFrom: expect.any(String),
          keptUntil: expect.any(String),
          revisions: [
            { id: revision.id, number: 1, size: Number(revision.size), sha256: toHex(revision.blob.sha256) },
          ],
        },
      ],
    });
    expect(disposal.certificate).not.toContain('secret');
  });

  it('seals the certificate with the key that seals documents, as openssl confirms', async () => {
    const world = await newRetentionWorld('a');
    await world.policy({}, WHOLE);
    await world.age(400, ...world.ids);
    await world.dispose();
    const disposal = await world.db.prisma.disposal.findFirstOrThrow({
      where: { organizationId: world.organization.id },
    });
    const folder = await mkdtemp(join(tmpdir(), 'docgraph-disposal-'));
    const verify = async (content: string) => {
      await writeFile(join(folder, 'seal.p7s'), disposal.seal);
      await writeFile(join(folder, 'certificate.json'), content);
      const options = ['-verify', '-binary', '-inform', 'DER', '-noverify', '-in', 'seal.p7s'];
      return promisify(execFile)('openssl', ['cms', ...options, '-content', 'certificate.json'], {
        cwd: folder,
      });
    };
    expect((await verify(disposal.certificate)).stdout).toBe(disposal.certificate);
    await expect(verify(disposal.certificate.replace('P1Y', 'P2Y'))).rejects.toThrow('verification failure');
    await rm(folder, { recursive: true });
  });

  it('counts only bytes that nothing else uses', async () => {
    const world = await newRetentionWorld('old');
    const { db } = world;
    await newDocuments(world.ctx, world.project.id, [{ name: 'copy', content: 'old' }]);
    await world.policy({}, WHOLE);
    await world.age(400, world.idOf('old'));
    await world.dispose();
    const disposal = await db.prisma.disposal.findFirstOrThrow({
      where: { organizationId: world.organization.id },
    });
    expect(disposal).toMatchObject({ documentCount: 1, bytesFreed: 0n });
  });

  it('does nothing to documents of a policy that says so', async () => {
    const world = await newRetentionWorld('a');
    await world.policy({ action: 'NOTHING' }, WHOLE);
    await world.age(400, ...world.ids);
    expect(await world.dispose()).toEqual(['a']);
  });

  it('waits while an approval of the document is pending', async () => {
    const world = await newRetentionWorld('a');
    const { ctx, owner, project } = world;
    await world.policy({}, WHOLE);
    await world.age(400, ...world.ids);
    const [process] = await createProcesses(ctx, {
      projectId: project.id,
      processes: [{ name: 'Release', steps: [{ name: 'Read', approverIds: [owner.id] }] }],
    });
    await startProcess(ctx, { processId: process?.id as string, itemIds: world.ids });
    expect(await world.dispose()).toEqual(['a']);
    await denyApprovals(ctx, { ids: world.ids });
    expect(await world.dispose()).toEqual([]);
  });
});

describe('a document that a policy keeps', () => {
  it('is purged neither by hand nor by the date of the recycle bin, until its time has ended', async () => {
    const world = await newRetentionWorld('a');
    const { db, owner, ctx, ids } = world;
    await world.policy({ action: 'NOTHING' }, { projectId: world.project.id });
    await recycleDocuments(ctx, { documentIds: ids });
    await db.prisma.document.updateMany({ where: { id: { in: ids } }, data: { purgeAt: new Date(1) } });
    await expect(purgeDocuments(ctx, { documentIds: ids })).rejects.toThrow(
      'A retention policy keeps a document.',
    );
    await sweep(db, ctx.storage.store);
    const plan = await owner.graph('query ($ids: [ID!]!) { purgePlan(ids: $ids) { purgeable obstacles } }', {
      ids,
    });
    expect(plan.data.purgePlan).toEqual([{ purgeable: false, obstacles: ['RETENTION'] }]);
    expect(await world.states(...ids)).toEqual(['KEPT']);
    await world.age(400, ...ids);
    await sweep(db, ctx.storage.store);
    expect(await db.prisma.document.count({ where: { id: { in: ids } } })).toBe(0);
  });

  it('does not keep the sweep from purging those after it', async () => {
    const world = await newRetentionWorld('kept', 'free');
    const { db, ctx, ids, project } = world;
    const [folder] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Records' }] });
    await moveDocuments(ctx, { documentIds: [world.idOf('kept')], folderId: folder?.id });
    await world.policy({}, { folderId: folder?.id as string });
    await recycleDocuments(ctx, { documentIds: ids });
    await db.prisma.document.updateMany({ where: { id: { in: ids } }, data: { purgeAt: new Date(1) } });
    await sweep(db, ctx.storage.store);
    expect(await db.prisma.document.findMany({ where: { id: { in: ids } }, select: { name: true } })).toEqual(
      [{ name: 'kept' }],
    );
  });
});
