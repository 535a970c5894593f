import { webcrypto } from 'node:crypto';
import { type BlobStore, storeBytes, storedSource } from '../../files/store/store.ts';
import { toHex } from '../../lib/text/hex.ts';
import { HOUR } from '../../lib/time.ts';
import { addDocumentStamp, type Stamp } from '../../pdf/seal/seal.ts';
import { CertificateRevoked, ValidationIncomplete } from '../../revocation/answer.ts';
import type { StampedToken } from '../../timestamp/authority.ts';
import { nodeSuite } from '../../verify/node-suite.ts';
import { checkSeal } from '../../verify/seal.js';
import { claimRoundRobin } from '../due-work/round-robin.ts';
import { stampOf } from './seal-stamp.ts';
import type { SealingSite } from './sealing.ts';
import type { SealingAttempt } from './sealing-state.ts';
import { claimStamp, MAX_STAMP_ATTEMPTS, releaseStamp, stampDelay } from './stamp-schedule.ts';
import {
  type Addition,
  addStampedRevision,
  findStampable,
  type SealedRevision,
  type StampObstacle,
} from './stamped-revision.ts';
import { endRevoked } from './validation-failure.ts';

/** Bytes of a sealed file: all of it is in memory. */
const MAX_BYTES = 100 * 2 ** 20;

/** Milliseconds until a document that is in the recycle bin, or signed again, is looked at again. */
const WAIT = HOUR;

/** `NONE`: an authority did not give a time-stamp, or an answer about a certificate. */
type Outcome = 'ADDED' | 'NONE' | StampObstacle | CertificateRevoked;

/**
 * Adds a document time-stamp (ETSI EN 319 142-1 §5.4.3) to the sealed file that has been due longest, as a new revision, taking
 * turns between organizations. If the seal has a time-stamp, the new one is over validation data that is added before it.
 * Returns false if none is due. A failure leads to another attempt; unexpected errors are thrown after that. Without
 * `timeStamper` no time-stamp is given.
 */
export async function stampNext(site: SealingSite): Promise<boolean> {
  const attempt = await claimRoundRobin(site.db, 'stamp', (condition) => claimStamp(site.db, condition));
  if (attempt) await runAttempt(site, attempt);
  return attempt !== undefined;
}

async function runAttempt(site: SealingSite, attempt: SealingAttempt): Promise<void> {
  let outcome: Outcome | undefined;
  try {
    outcome = attempt.attempts > MAX_STAMP_ATTEMPTS ? 'NEVER' : await stampSeal(site, attempt);
  } catch (error) {
    if (error instanceof RangeError) outcome = 'NEVER'; // the file is none that can be updated
    throw error;
  } finally {
    if (outcome !== 'ADDED') {
      const isReleased = await endAttempt(site, attempt, outcome ?? 'NONE');
      // An error of the commit may hide that the revision was added: then the lease is over, and its blob must stay.
      if (outcome || isReleased) await site.storage.store.remove(attempt.blobId).catch(() => {}); // the sweep does later
    }
  }
}

/**
 * Ends an attempt without a result; false if its lease was over. Waiting for people is not counted, since it does not say that
 * the next one fails.
 */
function endAttempt({ db }: SealingSite, attempt: SealingAttempt, outcome: Outcome): Promise<boolean> {
  if (outcome instanceof CertificateRevoked) return endRevoked(db, attempt, outcome);
  if (outcome === 'LATER') return releaseStamp(db, attempt, WAIT, false);
  return releaseStamp(db, attempt, outcome === 'NONE' ? stampDelay(attempt.attempts) : undefined);
}

async function stampSeal(site: SealingSite, attempt: SealingAttempt): Promise<Outcome> {
  const { db, storage } = site;
  const sealed = await findStampable(db, attempt);
  if (typeof sealed === 'string') return sealed;
  if (sealed.size > MAX_BYTES) return 'NEVER';
  const stamp = stampOf(site);
  if (!stamp) return 'NONE';
  const file = await readSealed(storage.store, attempt, sealed);
  const longer = await (sealed.stampedAt ? addValidation(file, site, stamp) : addStamp(file, stamp));
  if (typeof longer === 'string' || longer instanceof CertificateRevoked) return longer;
  const { sha256, size } = await storeBytes(storage.store, attempt.blobId, longer.bytes);
  return addStampedRevision(db, attempt, { ...longer, sha256, size });
}

type LongerFile = Addition & { bytes: Uint8Array<ArrayBuffer> };

async function addStamp(file: Uint8Array, stamp: Stamp<StampedToken>): Promise<LongerFile | 'NONE'> {
  const { certificate } = await checkSeal(nodeSuite, file);
  const { isRevocable } = await import('../../revocation/published.ts');
  const stamped = await addDocumentStamp(file, stamp);
  return stamped ? { ...stamped, isValidatable: isRevocable(certificate) } : 'NONE';
}

async function addValidation(
  file: Uint8Array,
  { roots = [], report }: SealingSite,
  stamp: Stamp<StampedToken>,
): Promise<LongerFile | Outcome> {
  try {
    const { archiveSeal } = await import('./archive-stamp.ts');
    return (await archiveSeal(file, { stamp, roots, now: new Date() })) ?? 'NONE';
  } catch (error) {
    if (error instanceof CertificateRevoked) return error;
    if (!(error instanceof ValidationIncomplete)) throw error;
    report?.(error);
    return 'NONE';
  }
}

/** The sealed file as it was stored; throws for another one. */
async function readSealed(
  store: BlobStore,
  { organizationId }: SealingAttempt,
  { blobId, size, sha256 }: SealedRevision,
): Promise<Uint8Array<ArrayBuffer>> {
  const source = storedSource(store, blobId, Number(size), organizationId);
  const file = new Uint8Array(await source.read(0, source.size - 1));
  const digest = new Uint8Array(await webcrypto.subtle.digest('SHA-256', file));
  if (toHex(digest) !== toHex(sha256)) throw new Error(`the blob ${blobId} has another SHA-256`);
  return file;
}
