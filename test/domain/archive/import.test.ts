import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { requireOwnStore } from '../../../src/domain/maintenance/store-owner.ts';
import { newDatabase, testDatabase } from '../../support/database.ts';
import { testStorage } from '../../support/storage.ts';
import { archiveFolder, exportTo, filesIn, importFrom, newArchive, sha256 } from './archives.ts';

/** Runs `work` with a database without organizations. */
async function elsewhere<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await newDatabase();
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

describe('import-organization', () => {
  it('imports what is found, and people who cannot sign in', async () => {
    const { archive, organization, owner, project } = await newArchive();
    await elsewhere(async (db) => {
      await importFrom(db, archive);
      const user = await db.prisma.user.findUniqueOrThrow({ where: { id: owner.id } });
      expect(user).toMatchObject({ email: owner.email, passwordHash: null, emailVerifiedAt: null });
      expect(await db.prisma.apiKey.count()).toBe(0);
      const found = await db.query<{ name: string }>(sql`SELECT e.name_key AS name FROM search_entries e
        WHERE e.organization_id = ${organization.id} AND e.kind = 'DOCUMENT'`);
      expect(found).toEqual([{ name: 'quay wall.txt' }]);
      const counts = await db.query(
        sql`SELECT sum(active)::int AS active FROM document_counts WHERE project_id = ${project.id}`,
      );
      expect(counts).toEqual([{ active: 1 }]);
      expect(await db.prisma.notificationCursor.findFirst()).toMatchObject({
        organizationId: organization.id,
      });
    });
  });

  it('refuses an organization that is here, and changes nothing', async () => {
    const { db, archive } = await newArchive();
    const before = await db.prisma.event.count();
    await expect(importFrom(db, archive, { 'same-people': 'true' })).rejects.toThrow('here already');
    expect(await db.prisma.event.count()).toBe(before);
  });

  it('refuses people with an account here, unless they are declared to be the same', async () => {
    const { archive, owner, stranger } = await newArchive();
    await elsewhere(async (db) => {
      await db.prisma.user.create({
        data: { id: owner.id, email: owner.email, name: 'Owner here', passwordHash: 'x' },
      });
      await expect(importFrom(db, archive)).rejects.toThrow('--same-people');
      await importFrom(db, archive, { 'same-people': 'true' });
      const user = await db.prisma.user.findUniqueOrThrow({ where: { id: owner.id } });
      expect(user).toMatchObject({ name: 'Owner here', passwordHash: 'x' });
    });
    await elsewhere(async (db) => {
      await db.prisma.user.create({ data: { id: stranger.id, email: owner.email, name: 'Somebody else' } });
      await expect(importFrom(db, archive, { 'same-people': 'true' })).rejects.toThrow(
        'that of another person',
      );
      expect(await db.prisma.organization.count()).toBe(0);
    });
  });

  it('replaces what an import that failed has left of the files', async () => {
    const { archive, organization } = await newArchive();
    await elsewhere(async (db) => {
      const { store } = await testStorage(db);
      await requireOwnStore(db, store);
      const paths = [...(await filesIn(archive)).keys()].filter((path) => path.startsWith('data/files/'));
      const key = paths[0]?.slice('data/files/'.length) as string;
      await store.append(
        key,
        0,
        (async function* () {
          yield Buffer.from('half');
        })(),
      );
      expect(await importFrom(db, archive)).toContain(organization.id);
      expect(await store.stat(key)).toMatchObject({ size: 'Granite'.length, finished: true });
    });
  });

  it('reads a file that is no archive as such', async () => {
    const db = await testDatabase();
    await expect(importFrom(db, 'package.json')).rejects.toThrow('no tar archive');
    await expect(importFrom(db, 'missing.tar')).rejects.toThrow('not readable');
  });
});

describe('export-organization', () => {
  it('records what was exported, after what it has', async () => {
    const { db, archive, organization } = await newArchive();
    const event = await db.prisma.event.findFirstOrThrow({
      where: { organizationId: organization.id },
      orderBy: { sequence: 'desc' },
    });
    const tagManifest = (await filesIn(archive)).get('tagmanifest-sha256.txt') as Buffer;
    expect(event).toMatchObject({
      kind: 'organization.exported',
      data: { after: { sequence: String(event.sequence - 1n), tagManifestSha256: sha256(tagManifest) } },
    });
  });

  it('fails where a file was purged meanwhile, and leaves nothing behind', async () => {
    const { db, archive, organization } = await newArchive();
    const blob = await db.prisma.blob.findFirstOrThrow({ where: { organizationId: organization.id } });
    await (await testStorage(db)).store.remove(blob.id);
    const target = archiveFolder();
    await expect(exportTo(db, organization.id, join(target, 'again.tar'))).rejects.toThrow('was purged');
    expect(readdirSync(target)).toEqual([]);
    expect((await filesIn(archive)).size).toBeGreaterThan(60);
  });

  it('writes no file of another name, and over none', async () => {
    const { db, archive, organization } = await newArchive();
    await expect(exportTo(db, organization.id, archive)).rejects.toThrow('exists already');
    await expect(exportTo(db, 'org_01m8jkfyz1e00af61eh4agpf74', `${archive}.2`)).rejects.toThrow('not found');
    await expect(exportTo(db, organization.id, '/nowhere/a.tar')).rejects.toThrow('cannot be written');
  });
});
