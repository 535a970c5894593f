import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { newDatabase, testDatabase } from '../../support/database.ts';
import { dump } from '../../support/dump.ts';
import { newDocuments, testStorage } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';
import { archiveFolder, exportTo, filesIn, importFrom, writeFiles } from './archives.ts';

async function scene() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  await newDocuments(await owner.context(), project.id, [{ name: 'Quay wall.txt', content: 'Granite' }]);
  const archive = join(archiveFolder(), 'archive.tar');
  await exportTo(db, organization.id, archive);
  return { ...world, archive };
}

/** Runs `work` with a database without organizations. */
async function elsewhere<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await newDatabase();
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

type Files = Map<string, Buffer>;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Writes the manifests of changed files anew, as who changes an archive on purpose does. */
function withManifests(files: Files): Files {
  const manifest = (isListed: (path: string) => boolean) =>
    Buffer.from(
      [...files]
        .filter(([path]) => isListed(path))
        .map(([path, bytes]) => `${sha256(bytes)}  ${path}\n`)
        .join(''),
    );
  files.set(
    'manifest-sha256.txt',
    manifest((path) => path.startsWith('data/')),
  );
  files.set(
    'tagmanifest-sha256.txt',
    manifest((path) => /^(bag|manifest)/.test(path)),
  );
  return files;
}

/** Replaces a text in a file of rows. */
const replaced = (path: string, from: string | RegExp, to: string) => (files: Files) => {
  const text = String(files.get(path));
  expect(text.replace(from, to)).not.toBe(text);
  return withManifests(files.set(path, Buffer.from(text.replace(from, to))));
};

const added = (path: string, text: string) => (files: Files) =>
  withManifests(files.set(path, Buffer.from(text)));

const STRANGER = 'usr_01m8jkfyz1e00af61eh4agpf74';

const CHANGES: [string, (files: Files) => Files, string][] = [
  [
    'a byte of a file',
    (files) => files.set('data/documents.jsonl', Buffer.from('{}\n')),
    'not as its manifest says',
  ],
  ['a file in no manifest', (files) => files.set('data/more', Buffer.from('')), 'in no manifest'],
  [
    'a file that is missing',
    (files) => new Map([...files].filter(([path]) => path !== 'data/tasks.jsonl')),
    'not in the archive',
  ],
  ['another version of BagIt', replaced('bagit.txt', '1.0', '0.97'), 'no bag of BagIt 1.0'],
  ['an unknown table', added('data/api_keys.jsonl', '{}\n'), 'no file of an organization'],
  [
    'an unknown column',
    replaced('data/users.jsonl', '"name"', '"password_hash": "x", "name"'),
    'other columns',
  ],
  ['an excluded column', replaced('data/folders.jsonl', /^$/, '{"link_sealed": ""}\n'), 'other columns'],
  ['a line that is no JSON', added('data/tags.jsonl', '{"id"\n'), 'no JSON'],
  ['a file without the end of its line', added('data/tags.jsonl', '{}'), 'does not end'],
  [
    'a row of another organization',
    replaced('data/projects.jsonl', /"organization_id": "org_./, '"organization_id": "org_7'),
    'another organization',
  ],
  [
    'a value of another type',
    replaced('data/documents.jsonl', /"version": \d+/, '"version": "x"'),
    'data/documents.jsonl',
  ],
  [
    'a reference to nothing',
    replaced('data/documents.jsonl', /"folder_id": null/, '"folder_id": "fld_01m8jkfyz1e00af61eh4agpf74"'),
    'foreign key',
  ],
  [
    'an event with another text',
    replaced('data/events.jsonl', /"request_id": "test"/, '"request_id": "tess"'),
    'event log was changed',
  ],
  ['an event less', replaced('data/events.jsonl', /[^\n]*\n$/, ''), 'event log'],
  [
    'another head',
    replaced('data/organization.json', /"sequence":"\d+"/, '"sequence":"9999"'),
    'does not end as',
  ],
  [
    'another migration',
    replaced('data/organization.json', /"migration":"\d/, '"migration":"1'),
    'another version',
  ],
  [
    'a person to whom nothing refers',
    (files) =>
      added(
        'data/users.jsonl',
        `${files.get('data/users.jsonl')}{"id": "${STRANGER}", "name": "Eve", "email": "eve@example.test", "erased_at": null}\n`,
      )(files),
    'nothing refers',
  ],
  [
    'a file that is another one than its row says',
    replaced('data/blobs.jsonl', /"size": \d+/, '"size": 8'),
    'without its file',
  ],
];

describe('an import of an archive with', () => {
  it.each(CHANGES)('%s is refused, and changes nothing', async (_, change, text) => {
    const { archive, organization } = await scene();
    const changed = `${archive}.changed`;
    await writeFiles(changed, organization.id, change(await filesIn(archive)));
    await elsewhere(async (db) => {
      const before = await dump(db);
      await expect(importFrom(db, changed)).rejects.toThrow(text);
      expect(await dump(db)).toBe(before);
    });
  });
});

describe('import-organization', () => {
  it('imports what is found, and people who cannot sign in', async () => {
    const { archive, organization, owner, project } = await scene();
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
    const { db, archive } = await scene();
    const before = await db.prisma.event.count();
    await expect(importFrom(db, archive, { 'same-people': 'true' })).rejects.toThrow('here already');
    expect(await db.prisma.event.count()).toBe(before);
  });

  it('refuses people with an account here, unless they are declared to be the same', async () => {
    const { archive, owner, stranger } = await scene();
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
    const { archive, organization } = await scene();
    await elsewhere(async (db) => {
      const { store } = await testStorage(db);
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
    const { db, archive, organization } = await scene();
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
    const { db, archive, organization } = await scene();
    const blob = await db.prisma.blob.findFirstOrThrow({ where: { organizationId: organization.id } });
    await (await testStorage(db)).store.remove(blob.id);
    const folder = archiveFolder();
    await expect(exportTo(db, organization.id, join(folder, 'again.tar'))).rejects.toThrow('was purged');
    expect(readdirSync(folder)).toEqual([]);
    expect((await filesIn(archive)).size).toBeGreaterThan(60);
  });

  it('writes no file of another name, and over none', async () => {
    const { db, archive, organization } = await scene();
    await expect(exportTo(db, organization.id, archive)).rejects.toThrow('exists already');
    await expect(exportTo(db, 'org_01m8jkfyz1e00af61eh4agpf74', `${archive}.2`)).rejects.toThrow('not found');
    await expect(exportTo(db, organization.id, '/nowhere/a.tar')).rejects.toThrow('cannot be written');
  });
});
