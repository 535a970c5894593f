import { createHash } from 'node:crypto';
import type { TarFile } from '../../lib/tar/tar-map.ts';

/** A file of a bag, under its path in the bag. `sha256`: in hexadecimal. */
export interface BagFile extends TarFile {
  sha256: string;
}

/** Stores a text that is written piece by piece, and returns it as a file of a bag. */
export type Spool = (path: string, pieces: AsyncIterable<string>) => Promise<BagFile>;

/** Of BagIt 1.0 (RFC 8493 §2.1.1). */
export const DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';

/** The paths of the files that describe a bag. */
export const TAGS = {
  declaration: 'bagit.txt',
  info: 'bag-info.txt',
  manifest: 'manifest-sha256.txt',
  tagManifest: 'tagmanifest-sha256.txt',
} as const;

/** What an archive says of itself in `data/organization.json`. */
export interface ArchiveDescription {
  format: 1;
  organizationId: string;
  /** The last migration of the database; rows are those of its tables. */
  migration: string;
  /** Of the last event: its sequence, and its hash in hexadecimal. */
  head: { sequence: string; hash: string };
}

export const DESCRIPTION = 'data/organization.json';
export const rowsPath = (table: string): string => `data/${table}.jsonl`;
export const filePath = (blobId: string): string => `data/files/${blobId}`;

/** The tag files of a bag with this payload (RFC 8493 §2), which come before it. */
export async function tagsOf(
  spool: Spool,
  { organizationId }: ArchiveDescription,
  payload: readonly BagFile[],
): Promise<BagFile[]> {
  const octets = payload.reduce((sum, { size }) => sum + size, 0);
  const info = [
    `Bagging-Date: ${new Date().toISOString().slice(0, 10)}`,
    'Bag-Software-Agent: Docgraph',
    `External-Identifier: ${organizationId}`,
    `Payload-Oxum: ${octets}.${payload.length}`,
  ];
  const tags = [
    await spool(TAGS.declaration, lines(DECLARATION.trimEnd().split('\n'))),
    await spool(TAGS.info, lines(info)),
    await spool(TAGS.manifest, lines(payload.map(manifestLine))),
  ];
  return [...tags, await spool(TAGS.tagManifest, lines(tags.map(manifestLine)))];
}

async function* lines(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield `${text}\n`;
}

const manifestLine = ({ sha256, path }: { sha256: string; path: string }): string => `${sha256}  ${path}`;

const MANIFEST_LINE = /^([0-9a-f]{64}) {1,2}\*?([!-~]+)$/i;

/** The digests of a manifest by path; undefined if it is not one of ours. */
export function parseManifest(text: string): Map<string, string> | undefined {
  const digests = new Map<string, string>();
  for (const line of text.split(/\r?\n/).filter(Boolean)) {
    const [, sha256, path] = MANIFEST_LINE.exec(line) ?? [];
    if (sha256 === undefined || path === undefined || digests.has(path)) return undefined;
    digests.set(path, sha256.toLowerCase());
  }
  return digests;
}

/** Counts and hashes what passes. */
export class Digest {
  readonly #hash = createHash('sha256');
  size = 0;

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.size += bytes.length;
  }

  /** In hexadecimal; at the end. */
  get sha256(): string {
    return this.#hash.digest('hex');
  }
}
