import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ARCHIVE_COMMANDS } from '../../../src/admin/archive.ts';
import type { Database } from '../../../src/db/database.ts';
import { readTarIndex } from '../../../src/lib/tar/tar-index.ts';
import { TarMap } from '../../../src/lib/tar/tar-map.ts';
import { newDocuments, testStorage } from '../../support/storage.ts';
import { config, newWorld } from '../../support/world.ts';

/** A folder for archives of a test. */
export function archiveFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function run(db: Database, name: string, values: Record<string, string>): Promise<string> {
  const site = { db, storage: await testStorage(db), limits: config.limits };
  return ARCHIVE_COMMANDS[name]?.run(site, values) as Promise<string>;
}

export const exportTo = (db: Database, organization: string, file: string) =>
  run(db, 'export-organization', { organization, file });

export const importFrom = (db: Database, file: string, options: Record<string, string> = {}) =>
  run(db, 'import-organization', { file, ...options });

/** The files of an archive by their paths in its only folder. */
export async function filesIn(archive: string): Promise<Map<string, Buffer>> {
  const bytes = readFileSync(archive);
  const index = await readTarIndex(async (start, end) => bytes.subarray(start, end + 1), bytes.length);
  return new Map(
    index.map(({ path, offset, size }) => [
      path.slice(path.indexOf('/') + 1),
      bytes.subarray(offset, offset + size),
    ]),
  );
}

/** Writes an archive with these files in the folder of an organization. */
export async function writeFiles(
  archive: string,
  name: string,
  files: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const map = new TarMap(
    [...files].map(([path, bytes]) => ({
      path: `${name}/${path}`,
      size: bytes.length,
      open: async function* ({ start, end }: { start: number; end: number }) {
        yield bytes.subarray(start, end + 1);
      } as never,
    })),
    new Date(0),
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of map.read()) chunks.push(chunk);
  writeFileSync(archive, Buffer.concat(chunks));
}

const folder = mkdtempSync(join(tmpdir(), 'docgraph-archive-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A new organization with one document, and its archive. */
export async function newArchive() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  await newDocuments(await owner.context(), project.id, [{ name: 'Quay wall.txt', content: 'Granite' }]);
  const archive = join(folder, `${organization.id}.tar`);
  await exportTo(db, organization.id, archive);
  return { ...world, archive };
}

/** Of bytes, in hexadecimal. */
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
