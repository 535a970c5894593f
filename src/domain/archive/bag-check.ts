import { z } from 'zod';
import { typeOfId } from '../../lib/id.ts';
import { readTarIndex, TarBroken, type TarContent } from '../../lib/tar/tar-index.ts';
import { badInput } from '../kernel/errors.ts';
import { type ArchiveDescription, DECLARATION, DESCRIPTION, Digest, parseManifest, TAGS } from './bag.ts';

/** An archive that can be read at any position, from `start` to `end`, both included. */
export interface ArchiveSource {
  size: number;
  read: (start: number, end: number) => Promise<Buffer>;
}

/** A bag whose files are all those of its manifests, with their digests. */
export interface Bag {
  description: ArchiveDescription;
  /** SHA-256 of the tag manifest in hexadecimal, which stands for all of it. */
  sha256: string;
  /** The payload by path in the bag. `sha256`: in hexadecimal. */
  payload: ReadonlyMap<string, TarContent & { sha256: string }>;
  bytes: (content: TarContent) => AsyncGenerator<Buffer>;
}

/** Bytes that are read at a time. */
const CHUNK = 2 ** 20;

/** Bytes of a tag file, which is read into memory. */
const MAX_TAG = 2 ** 29;

const description = z.strictObject({
  format: z.literal(1),
  organizationId: z.string().refine((id) => typeOfId(id) === 'Organization'),
  migration: z.string(),
  head: z.strictObject({
    sequence: z.string().regex(/^\d{1,18}$/),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
});

/** Reads each byte of an archive, and compares it with its manifests (RFC 8493 §3). Throws BAD_USER_INPUT with what is wrong. */
export async function openBag(source: ArchiveSource): Promise<Bag> {
  const { organizationId, files } = await filesOf(source);
  const bytes = (content: TarContent) => bytesOf(source, content);
  const tag = (path: string) => tagText(files.get(path), path, bytes);
  if ((await tag(TAGS.declaration)).replaceAll('\r\n', '\n') !== DECLARATION)
    throw badInput('The archive is no bag of BagIt 1.0 in UTF-8.');
  const tags = manifestOf(await tag(TAGS.tagManifest), TAGS.tagManifest);
  const digests = manifestOf(await tag(TAGS.manifest), TAGS.manifest);
  requireSamePaths(files, tags, digests);
  const payload = new Map<string, TarContent & { sha256: string }>();
  for (const [path, sha256] of [...tags, ...digests]) {
    const content = files.get(path) as TarContent;
    if ((await digestOf(bytes(content))) !== sha256) throw badInput(`${path} is not as its manifest says.`);
    if (digests.has(path)) payload.set(path, { ...content, sha256 });
  }
  const sha256 = await digestOf(bytes(files.get(TAGS.tagManifest) as TarContent));
  const described = parseDescription(await tag(DESCRIPTION));
  if (described.organizationId !== organizationId)
    throw badInput('The archive is of another organization than its name says.');
  return { description: described, sha256, payload, bytes };
}

/** The files of the archive by their paths in the bag, which is the only folder of the archive. */
async function filesOf({ read, size }: ArchiveSource) {
  const contents = await readTarIndex(read, size).catch((error) => {
    throw error instanceof TarBroken ? badInput(error.message) : error;
  });
  const organizationId = contents[0]?.path.split('/', 1)[0] ?? '';
  const isInside = ({ path }: TarContent) => path.startsWith(`${organizationId}/`);
  if (!contents.every(isInside)) throw badInput('The archive has files outside of one folder.');
  const files = new Map(contents.map((each) => [each.path.slice(organizationId.length + 1), each]));
  return { organizationId, files };
}

function manifestOf(text: string, path: string): Map<string, string> {
  const digests = parseManifest(text);
  if (!digests) throw badInput(`${path} is no manifest.`);
  return digests;
}

/** Each file must be in one of the manifests, and each line of those must be of a file. */
function requireSamePaths(
  files: ReadonlyMap<string, unknown>,
  tags: ReadonlyMap<string, string>,
  digests: ReadonlyMap<string, string>,
): void {
  const described = new Set([TAGS.tagManifest, ...tags.keys(), ...digests.keys()]);
  const surplus = [...files.keys()].find((path) => !described.has(path));
  const missing = [...described].find((path) => !files.has(path));
  if (surplus !== undefined) throw badInput(`${surplus} is in no manifest.`);
  if (missing !== undefined) throw badInput(`${missing} is in a manifest, and not in the archive.`);
  const isOrdered =
    [TAGS.declaration, TAGS.info, TAGS.manifest].every((path) => tags.has(path)) &&
    [...digests.keys()].every((path) => path.startsWith('data/')) &&
    [...tags.keys()].every((path) => !path.startsWith('data/'));
  if (!isOrdered) throw badInput('The manifests do not list what each of them has to.');
}

async function* bytesOf({ read }: ArchiveSource, { offset, size }: TarContent): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += CHUNK)
    yield await read(offset + at, offset + Math.min(at + CHUNK, size) - 1);
}

async function tagText(content: TarContent | undefined, path: string, bytes: Bag['bytes']): Promise<string> {
  if (!content) throw badInput(`The archive has no ${path}: it is no bag of an organization.`);
  if (content.size > MAX_TAG) throw badInput(`${path} is too large.`);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes(content)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function digestOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const digest = new Digest();
  for await (const chunk of chunks) digest.add(chunk);
  return digest.sha256;
}

function parseDescription(text: string): ArchiveDescription {
  try {
    return description.parse(JSON.parse(text));
  } catch (cause) {
    throw badInput(`${DESCRIPTION} is not one of this version.`, undefined, cause);
  }
}
