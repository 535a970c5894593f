import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { Rows } from '../../db/sql/table.ts';
import { inTransaction } from '../../db/transaction.ts';
import { StoreError, storeBytes, storedSource } from '../../files/store/store.ts';
import { Busy, TryLater } from '../../lib/fair-slots.ts';
import { newId } from '../../lib/id.ts';
import { shorten } from '../../lib/text/shorten.js';
import { SECOND } from '../../lib/time.ts';
import { NotSealable } from '../../pdf/copy/not-sealable.ts';
import { makeSigningCopy, type SigningCopy } from '../../pdf/copy/signing-copy.ts';
import { type SealCertificate, SealUnusable } from '../../pdf/seal/certificate.ts';
import { mayHaveSignatures, seal } from '../../pdf/seal/seal.ts';
import { readCertificate } from '../../verify/certificate.js';
import { claimRoundRobin } from '../due-work/round-robin.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Storage } from '../kernel/context.ts';
import { sealNoticePage } from './seal-notice.ts';
import { type StampingSite, stampOf } from './seal-stamp.ts';
import { queueSealingMails } from './sealed-mail.ts';
import { addSealedRevision } from './sealed-revision.ts';
import { readSealingFacts, type SealingFacts, toSealJob } from './sealing-facts.ts';
import { backOff, MAX_ATTEMPTS, SEALING_LEASE, SERVER_ACTOR, type SealingAttempt } from './sealing-state.ts';

/** What sealing needs; without `timeStamper` seals have no time-stamp. */
export type SealingSite = StampingSite & { db: Database; storage: Storage };

/**
 * Seals a completed session, at most once however often it is called; does nothing if it is not due. A failure is
 * stored with the time of the next attempt; unexpected errors are thrown after that.
 */
export async function sealSession(site: SealingSite, sessionId: string): Promise<void> {
  const attempt = await claimAttempt(site.db, (sessions) => sql`${sessions}.id = ${sessionId}`);
  if (attempt) await runAttempt(site, attempt);
}

/** Seals the session that has been due longest, taking turns between organizations. Returns false if none is due. */
export async function sealNext(site: SealingSite): Promise<boolean> {
  const attempt = await claimRoundRobin(site.db, 'seal', (condition) =>
    claimAttempt(site.db, (sessions) => sql`${sessions}.organization_id ${condition}`),
  );
  if (attempt) await runAttempt(site, attempt);
  return attempt !== undefined;
}

async function runAttempt(site: SealingSite, attempt: SealingAttempt): Promise<void> {
  const { db, storage } = site;
  try {
    if (attempt.attempts > MAX_ATTEMPTS)
      throw new NotSealable(
        'Every attempt ended before it could say why; the server may have run out of memory.',
      );
    const facts = await readSealingFacts(db, attempt.sessionId);
    if (facts) await sealFile(site, attempt, facts);
  } catch (error) {
    await (error instanceof Busy ? releaseAttempt(db, attempt, error) : failAttempt(db, attempt, error));
    await storage.store.remove(attempt.blobId).catch(() => {}); // the sweep removes it later
    if (!isExpected(error)) throw error;
  }
}

const due = new Rows('signature_sessions', 's');

/** Takes the lease of a due session by one conditional update. */
async function claimAttempt(
  db: Database,
  which: (sessions: Rows<'signature_sessions'>) => Sql,
): Promise<SealingAttempt | undefined> {
  const [attempt] = await db.query<SealingAttempt>(sql`UPDATE signature_sessions g
    SET sealing_attempts = g.sealing_attempts + 1, sealing_blob_id = ${newId('Blob')}, sealing_next_at = ${nowPlus(SEALING_LEASE)}
    FROM documents d WHERE d.organization_id = g.organization_id AND d.id = g.document_id
    AND g.id = (SELECT ${due}.id FROM ${due.from}
      WHERE ${due}.sealing = 'PENDING' AND ${due}.sealing_next_at <= now() AND ${which(due)}
      ORDER BY ${due}.organization_id, ${due}.sealing_next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING g.organization_id, d.project_id, g.document_id, g.id AS session_id, g.sealing_blob_id AS blob_id,
      g.sealing_attempts AS attempts`);
  return attempt;
}

async function sealFile(site: SealingSite, attempt: SealingAttempt, facts: SealingFacts): Promise<void> {
  const { db, storage } = site;
  const { store, sealer } = storage;
  const certificate = await sealer();
  const copy = await copyOf(storage, facts);
  const { removed } = copy;
  const original = await signedOriginal(storage, facts, copy.bytes);
  const checkUrl = sealNoticePage(storage, attempt.sessionId);
  const job = { ...toSealJob(facts, copy, checkUrl), original };
  const { bytes, pageCount, earlier, timeStamp } = await seal(job, certificate, stampOf(site));
  const { sha256, size } = await storeBytes(store, attempt.blobId, bytes);
  const isAdded = await addSealedRevision(db, attempt, facts, {
    sha256,
    size,
    pageCount,
    removed,
    earlier,
    timeStamp,
    lacksStamp: site.timeStamper !== undefined && !timeStamp,
    isValidatable: timeStamp !== undefined && (await hasAnswers(certificate)),
  });
  if (!isAdded) await store.remove(attempt.blobId);
}

/** Whether answers about the revocation of the certificate are published. */
async function hasAnswers({ chain }: SealCertificate): Promise<boolean> {
  const { isRevocable } = await import('../../revocation/published.ts');
  return isRevocable(readCertificate(chain[0] as Uint8Array));
}

/** The file that people signed. A session that began on a PDF without a copy gets it now. */
async function copyOf(
  { store }: Storage,
  { blobId, size, organizationId, contentType, isCopy, removed }: SealingFacts,
): Promise<Pick<SigningCopy, 'bytes' | 'removed'>> {
  const source = storedSource(store, blobId, size, organizationId);
  if (contentType === 'application/pdf' && !isCopy) return makeSigningCopy(source);
  return { bytes: new Uint8Array(size > 0 ? await source.read(0, size - 1) : []), removed };
}

/** The PDF as it was uploaded, if it may have digital signatures by its copy. */
async function signedOriginal(
  { store }: Storage,
  { contentType, organizationId, original: { blobId, size } }: SealingFacts,
  copy: Uint8Array,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (contentType !== 'application/pdf' || !mayHaveSignatures(copy)) return undefined;
  return new Uint8Array(await storedSource(store, blobId, size, organizationId).read(0, size - 1));
}

const isExpected = (error: unknown): error is Error =>
  [NotSealable, SealUnusable, StoreError, TryLater].some((kind) => error instanceof kind);

/** Releases an attempt for which there was no capacity: it is not counted, and retried soon. */
const releaseAttempt = (
  db: Database,
  { sessionId, blobId }: SealingAttempt,
  { retryAfter }: Busy,
): Promise<unknown> =>
  db.query(sql`UPDATE signature_sessions SET sealing_attempts = sealing_attempts - 1, sealing_blob_id = NULL,
    sealing_next_at = ${nowPlus(retryAfter * SECOND)}
    WHERE id = ${sessionId} AND sealing = 'PENDING' AND sealing_blob_id = ${blobId}`);

/** Stores the failure and the time of the next attempt, unless another attempt has taken over. */
async function failAttempt(db: Database, attempt: SealingAttempt, error: unknown): Promise<void> {
  const after = error instanceof NotSealable ? undefined : backOff(attempt.attempts);
  const text = isExpected(error)
    ? error.message
    : 'Something went wrong on our side; see the log of the server.';
  const { sessionId, blobId } = attempt;
  await inTransaction(db, async (tx) => {
    const failed =
      await tx.query(sql`UPDATE signature_sessions SET sealing = ${after === undefined ? 'FAILED' : 'PENDING'}::sealing_state,
      sealing_error = ${shorten(text, 1_000)}, sealing_blob_id = NULL,
      sealing_next_at = ${after === undefined ? null : nowPlus(after)}
      WHERE id = ${sessionId} AND sealing = 'PENDING' AND sealing_blob_id = ${blobId} RETURNING id`);
    if (failed.length === 0) return;
    await recordFailure(tx, attempt, { error: text, ...codeOf(error) }, after);
    if (after === undefined) await queueSealingMails(tx, 'SIGNATURE_NOT_SEALED', attempt);
  });
}

/** For programs that read the event: no retry can help. */
const codeOf = (error: unknown): { code?: 'NOT_SEALABLE' } =>
  error instanceof NotSealable ? { code: 'NOT_SEALABLE' } : {};

async function recordFailure(
  tx: Transaction,
  attempt: SealingAttempt,
  reason: { error: string; code?: string },
  after: number | undefined,
) {
  const { organizationId, projectId, documentId, sessionId, attempts } = attempt;
  await recordEvents(SERVER_ACTOR, tx, [
    {
      organizationId,
      projectId,
      subjectId: documentId,
      kind: 'document.sealingFailed',
      data: { sessionId, attempts, ...reason, final: after === undefined },
    },
  ]);
}
