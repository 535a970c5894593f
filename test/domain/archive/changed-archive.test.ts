import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { newDatabase } from '../../support/database.ts';
import { dump } from '../../support/dump.ts';
import { testStorage } from '../../support/storage.ts';
import { archiveFolder, filesIn, importFrom, newArchive, sha256, writeFiles } from './archives.ts';

type Files = Map<string, Buffer>;

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
    replaced('data/events.jsonl', '"name": "', '"name": "x'),
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
  // One archive and one empty database for all, as no test changes them.
  let scenes: ReturnType<typeof newArchive>;
  let empty: Database;
  beforeAll(async () => {
    [scenes, empty] = [newArchive(), await newDatabase()];
    await testStorage(empty);
    await scenes;
  });
  afterAll(() => empty.close());

  it.each(CHANGES)('%s is refused, and changes nothing', async (_, change, text) => {
    const { archive, organization } = await scenes;
    const changed = join(archiveFolder(), 'changed.tar');
    await writeFiles(changed, organization.id, change(await filesIn(archive)));
    const before = await dump(empty);
    await expect(importFrom(empty, changed)).rejects.toThrow(text);
    expect(await dump(empty)).toBe(before);
  });
});
