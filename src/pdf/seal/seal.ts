import { webcrypto } from 'node:crypto';
import { requireSamePages } from '../copy/same-pages.ts';
import type { SealCertificate } from './certificate.ts';
import { prepare } from './draw.ts';
import type { Prepared, SealJob } from './job.ts';
import { addStampRoom, fillRoom } from './stamp-update.js';
import { addValidationData, type ValidationData } from './validation-update.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes for the parts besides the certificates: attributes, and an RSA signature of up to 8,192 bits. */
const RESERVED_BYTES = 3_072;

/** Whether the copy of a PDF, which has no compressed objects, may have fields of signatures (ISO 32000-2 §12.7.5.5). */
export const mayHaveSignatures = ({ buffer, byteOffset, length }: Uint8Array): boolean =>
  Buffer.from(buffer, byteOffset, length).includes('/Sig');

/** Bytes for a time-stamp; tokens of commercial authorities have 4 to 7 KB. Each takes two of the file. */
const STAMP_BYTES = 8_192;

/** A time-stamp token in DER. */
interface Stamped {
  token: Uint8Array;
}

/** Asks for a time-stamp over a SHA-256. Resolves to undefined where none is given in time. */
export type Stamp<Given extends Stamped> = (digest: Uint8Array) => Promise<Given | undefined>;

interface SealedFile<Given> extends Pick<Prepared, 'pageCount' | 'earlier'> {
  bytes: Bytes;
  /** The time-stamp in it. */
  timeStamp: Given | undefined;
}

/**
 * Draws values and audit pages, compares the pages with those that people signed, and signs the whole file with one
 * signature: PAdES-B-T with a time-stamp, PAdES-B-B without, or where it is larger than the reserved space (ETSI EN 319
 * 142-1). Throws as `prepare` and `requireSamePages` do.
 */
export async function seal<Given extends Stamped>(
  job: Omit<SealJob, 'signatureBytes'>,
  certificate: SealCertificate,
  stamp?: Stamp<Given>,
): Promise<SealedFile<Given>> {
  const chainBytes = certificate.chain.reduce((total, { length }) => total + length, 0);
  const signatureBytes = RESERVED_BYTES + chainBytes + (stamp ? STAMP_BYTES : 0);
  const prepared = await prepare({ ...job, signatureBytes });
  const { bytes, pageCount, hole, earlier } = prepared;
  if (job.contentType === 'application/pdf') await requireSamePages(job, prepared);
  const digest = await digestOf(bytes, hole);
  const { signDetached } = await import('./cms.ts');
  const signature = await signDetached(digest, certificate);
  const given = await stamp?.(signature.digest);
  const stamped = given && signature.encode(given.token);
  const isStamped = stamped !== undefined && stamped.length <= signatureBytes;
  fillRoom(bytes, hole, isStamped ? stamped : signature.encode());
  return { bytes, pageCount, earlier, timeStamp: isStamped ? given : undefined };
}

/** A detached signature over content with this SHA-256, as seals have it: CMS SignedData in DER (RFC 5652 §5). */
export async function sealDigest(sha256: Uint8Array, certificate: SealCertificate): Promise<Bytes> {
  const { signDetached } = await import('./cms.ts');
  return (await signDetached(sha256, certificate)).encode();
}

/** SHA-256 of what a signature covers: all but the space for itself. */
async function digestOf(bytes: Bytes, hole: Prepared['hole']): Promise<Bytes> {
  const covered = Buffer.concat([bytes.subarray(0, hole.start), bytes.subarray(hole.end)]);
  return new Uint8Array(await webcrypto.subtle.digest('SHA-256', covered));
}

/** Beyond the first token that was too large: the next one may differ by its time and signature. */
const SPARE_BYTES = 1_024;

/**
 * Adds a document time-stamp to a sealed file (ETSI EN 319 142-1 §5.4.3); undefined where none is given. One that is larger than
 * the space for it is asked for again, with more space. Throws RangeError for a file that `seal` did not write.
 */
export async function addDocumentStamp<Given extends Stamped>(
  file: Uint8Array,
  stamp: Stamp<Given>,
): Promise<{ bytes: Bytes; timeStamp: Given } | undefined> {
  for (let room = STAMP_BYTES, tries = 0; tries < 2; tries++) {
    const { bytes, hole } = addStampRoom(file, room);
    const given = await stamp(await digestOf(bytes, hole));
    if (!given) return undefined;
    if (given.token.length <= room) {
      fillRoom(bytes, hole, given.token);
      return { bytes, timeStamp: given };
    }
    room = given.token.length + SPARE_BYTES;
  }
  throw new Error('each time-stamp was larger than the one before');
}

/**
 * Adds validation data to a sealed file, and a document time-stamp over both: PAdES-B-LTA (ETSI EN 319 142-1 §6.1); undefined
 * where no time-stamp is given. Throws as `addDocumentStamp` and `addValidationData` do.
 */
export const addArchiveStamp = <Given extends Stamped>(
  file: Uint8Array,
  data: ValidationData,
  stamp: Stamp<Given>,
): Promise<{ bytes: Bytes; timeStamp: Given } | undefined> =>
  addDocumentStamp(addValidationData(file, data), stamp);
