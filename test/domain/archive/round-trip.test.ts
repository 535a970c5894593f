import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { anchorLogs } from '../../../src/domain/anchors/anchor.ts';
import { recordEvents, serverActor } from '../../../src/domain/kernel/audit.ts';
import { verifyFiles } from '../../../src/domain/maintenance/file-verify.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { timeStamper } from '../../../src/timestamp/authority.ts';
import { SETUP_TIMEOUT_MS, sharedFixture } from '../../matrix/fixture.ts';
import { chainFault } from '../../support/chain.ts';
import { newDatabase } from '../../support/database.ts';
import { newDocuments, testStorage } from '../../support/storage.ts';
import { openAuthority } from '../../support/time-stamps/authority.ts';
import { exportTo, filesIn, importFrom } from './archives.ts';

let archived: ReturnType<typeof newArchive>;

// One for all tests, which change nothing of it: an organization with an object of every type takes seconds.
beforeAll(() => {
  archived = newArchive();
  return archived;
}, SETUP_TIMEOUT_MS);

/** An organization with an object of every type beside another one, and with a time-stamp over its log. */
async function newArchive() {
  const { db, a: tenant, b: stranger } = await sharedFixture();
  const { owner, project, organization } = tenant;
  const [document] = await newDocuments(await owner.context(), project.id, [
    { name: 'Quay wall.txt', content: 'Granite from the north' },
    { name: 'Empty.txt', content: '' },
  ]);
  await fillTables(db, {
    organizationId: organization.id,
    projectId: project.id,
    documentId: String(document?.id),
  });
  await stampLogs(db, organization.id);
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-archive-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const archive = join(folder, 'first.tar');
  await exportTo(db, organization.id, archive);
  return { db, owner, organization, stranger, folder, archive };
}

/** Rows in the tables that the fixture has none in. */
async function fillTables(
  { prisma }: Database,
  ids: { organizationId: string; projectId: string; documentId: string },
): Promise<void> {
  const { organizationId, projectId, documentId } = ids;
  await prisma.documentAssignment.create({ data: { organizationId, documentId, email: 'a@example.test' } });
  await prisma.projectSettings.create({ data: { organizationId, projectId, paneColor: '#102030' } });
  const where = { where: { organizationId } };
  const { id: groupId, createdById } = await prisma.group.findFirstOrThrow(where);
  const { id: formTemplateId } = await prisma.formTemplate.findFirstOrThrow(where);
  await prisma.formGroupShare.create({ data: { organizationId, formTemplateId, groupId, createdById } });
}

/** In place of those of the fixture, which nobody has signed; over more events than a tile has. */
async function stampLogs(db: Database, organizationId: string): Promise<void> {
  await db.query(sql`TRUNCATE log_anchors, log_stamps`);
  const events = Array.from({ length: 256 }, (_, index) => ({
    ...{ organizationId, subjectId: organizationId, kind: 'organization.renamed' },
    data: { before: { name: `${index}` }, after: { name: `${index + 1}` } },
  }));
  await inTransaction(db, (tx) => recordEvents(serverActor('test'), tx, events));
  const authority = await openAuthority();
  try {
    await anchorLogs(db, timeStamper({ urls: [authority.url], roots: authority.roots }));
  } finally {
    await authority.close();
  }
}

/** What an import adds: its event, and the head of the log. */
const withoutImport = (files: Map<string, Buffer>): Record<string, string> => {
  const texts = Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString('latin1')]));
  const isOfImport = (line: string) => line.includes('"organization.imported"');
  texts['data/events.jsonl'] = (texts['data/events.jsonl'] ?? '')
    .split('\n')
    .filter((line) => !isOfImport(line))
    .join('\n');
  for (const path of Object.keys(texts))
    if (/^(bag-info|manifest|tagmanifest)|organization\.json$|event_heads/.test(path)) delete texts[path];
  return texts;
};

const searched = (db: Database, organizationId: string) =>
  db.query<{ subjectId: string; words: string[] }>(
    sql`SELECT subject_id, tsvector_to_array(vector) AS words FROM search_entries WHERE organization_id = ${organizationId} ORDER BY subject_id`,
  );

it('an organization is the same after its export, import and export, row by row and byte by byte', async () => {
  const { db, organization, archive } = await archived;
  const other = await newDatabase();
  const id = organization.id;
  try {
    expect(await importFrom(other, archive)).toContain(`${id} was imported`);

    const second = `${archive}.second`;
    await exportTo(other, id, second);
    const [before, after] = [await filesIn(archive), await filesIn(second)];
    expect(withoutImport(after)).toEqual(withoutImport(before));
    expect(before.get('data/events.jsonl')?.length).toBeGreaterThan(10_000);
    expect([...before.keys()].filter((path) => path.startsWith('data/files/')).length).toBeGreaterThan(3);
    const empty = [...before].filter(([, bytes]) => bytes.length === 0).map(([path]) => path);
    expect(empty.filter((path) => path.endsWith('.jsonl'))).toEqual([]);

    expect(await chainFault(other, id)).toBeUndefined();
    expect(await searched(other, id)).toEqual(await searched(db, id));
    const { store } = await testStorage(other);
    await sweep(other, store);
    for await (const { findings, files } of verifyFiles(other, store, { hashes: true })) {
      expect(findings).toEqual([]);
      expect(files).toBeGreaterThan(3);
    }
  } finally {
    await other.close();
  }
});

it('an archive is a bag that other programs read, without a secret', async () => {
  const { archive, organization, owner, stranger, folder } = await archived;
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const bag = join(folder, organization.id);
  const check = (manifest: string) =>
    execFileSync('sha256sum', ['--quiet', '-c', manifest], { cwd: bag }).toString();
  expect(check('tagmanifest-sha256.txt') + check('manifest-sha256.txt')).toBe('');
  const text = [...(await filesIn(archive))].map(([, bytes]) => bytes.toString('latin1')).join('');
  // The link_id of a field of a form opens nothing.
  expect(
    text.replace(/"link_id": "dgl_/g, '').match(/.{40}(sealed:|\$scrypt|dgk_|dgs_|dgl_|PRIVATE KEY).{9}/g),
  ).toBeNull();
  expect(text.includes(owner.key)).toBe(false);
  for (const id of [stranger.organization.id, stranger.owner.id, stranger.owner.email])
    expect(text.includes(id)).toBe(false);
});
