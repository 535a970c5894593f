import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { StoreError } from '../../files/store/store.ts';
import { Busy, TryLater } from '../../lib/fair-slots.ts';
import { newId } from '../../lib/id.ts';
import { SECOND } from '../../lib/time.ts';
import { SealUnusable } from '../../pdf/seal/certificate.ts';
import { NotSealable } from '../../pdf/seal/draw.ts';
import { seal } from '../../pdf/seal/seal.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Storage } from '../kernel/context.ts';
import { claimRoundRobin } from '../kernel/round-robin.ts';
import { addSealedRevision } from './sealed-revision.ts';
import { readSealingFacts, type SealingFacts, toSealJob } from './sealing-facts.ts';
import { backOff, MAX_ATTEMPTS, SEALING_LEASE, SERVER_ACTOR, type SealingAttempt } from './sealing-state.ts';

/**
 * Seals what a session has signed: once, whoever tries it how often. Does nothing where there is nothing to do at this
 * moment. What goes wrong is written down, with when it is tried again. Throws what nobody expected, after that.
 */
export async function sealSession(db: Database, storage: Storage, sessionId: string): Promise<void> {
  const attempt = await claim(db, sql`s.id = ${sessionId}`);
  if (attempt) await perform(db, storage, attempt);
}

/** The same for the session that waits for the longest time, of the organizations in turn. False when none is due. */
export async function sealNext(db: Database, storage: Storage): Promise<boolean> {
  const attempt = await claimRoundRobin(db, 'seal', (condition) =>
    claim(db, sql`s.organization_id ${condition}`),
  );
  if (attempt) await perform(db, storage, attempt);
  return attempt !== undefined;
}

async function perform(db: Database, storage: Storage, attempt: SealingAttempt): Promise<void> {
  try {
    if (attempt.attempts > MAX_ATTEMPTS)
      throw new NotSealable(
        'Every attempt ended before it could say why; the server may have run out of memory.',
      );
    const facts = await readSealingFacts(db, attempt.sessionId);
    if (facts) await make(db, storage, attempt, facts);
  } catch (error) {
    await (error instanceof Busy ? release(db, attempt, error) : fail(db, attempt, error));
    await storage.store.remove(attempt.blobId).catch(() => {}); // the sweep makes up for it
    if (!isExpected(error)) throw error;
  }
}

/** The lease is taken by one conditional update; one that ran out is nobody's. `which`: a condition on sessions as `s`. */
async function claim(db: Database, which: Sql): Promise<SealingAttempt | undefined> {
  const [attempt] = await db.query<SealingAttempt>(sql`UPDATE signature_sessions g
    SET sealing_attempts = g.sealing_attempts + 1, sealing_blob_id = ${newId('Blob')}, sealing_next_at = ${nowPlus(SEALING_LEASE)}
    FROM documents d WHERE d.organization_id = g.organization_id AND d.id = g.document_id
    AND g.id = (SELECT s.id FROM signature_sessions s
      WHERE s.sealing = 'PENDING' AND s.sealing_next_at <= now() AND ${which}
      ORDER BY s.organization_id, s.sealing_next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING g.organization_id, d.project_id, g.document_id, g.id AS session_id, g.sealing_blob_id AS blob_id,
      g.sealing_attempts AS attempts`);
  return attempt;
}

async function make(
  db: Database,
  storage: Storage,
  attempt: SealingAttempt,
  facts: SealingFacts,
): Promise<void> {
  const { store, sealer } = storage;
  const certificate = await sealer();
  const chunks: Uint8Array[] = [];
  for await (const chunk of await store.read(facts.blobId)) chunks.push(chunk);
  const content = new Uint8Array(facts.size);
  content.set(Buffer.concat(chunks));
  const { bytes, pageCount, removed } = await seal(toSealJob(facts, content), certificate);
  await store.append(attempt.blobId, 0, once(bytes));
  const { sha256, size } = await store.finish(attempt.blobId, bytes.length);
  const kept = await addSealedRevision(db, attempt, facts, { sha256, size, pageCount, removed });
  if (!kept) await store.remove(attempt.blobId);
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

const isExpected = (error: unknown): error is Error =>
  [NotSealable, SealUnusable, StoreError, TryLater].some((kind) => error instanceof kind);

/** No attempt was made, as other documents are being sealed: this one does not count, and the next comes soon. */
const release = (
  db: Database,
  { sessionId, blobId }: SealingAttempt,
  { retryAfter }: Busy,
): Promise<unknown> =>
  db.query(sql`UPDATE signature_sessions SET sealing_attempts = sealing_attempts - 1, sealing_blob_id = NULL,
    sealing_next_at = ${nowPlus(retryAfter * SECOND)}
    WHERE id = ${sessionId} AND sealing = 'PENDING' AND sealing_blob_id = ${blobId}`);

/** Writes down what went wrong, unless someone else has taken over. */
async function fail(db: Database, attempt: SealingAttempt, error: unknown): Promise<void> {
  const after = error instanceof NotSealable ? undefined : backOff(attempt.attempts);
  const text = isExpected(error)
    ? error.message
    : 'Something went wrong on our side; the log of the server says what.';
  const { sessionId, blobId } = attempt;
  await inTransaction(db, async (tx) => {
    const failed =
      await tx.query(sql`UPDATE signature_sessions SET sealing = ${after === undefined ? 'FAILED' : 'PENDING'}::sealing_state,
      sealing_error = ${text.slice(0, 1_000)}, sealing_blob_id = NULL,
      sealing_next_at = ${after === undefined ? null : nowPlus(after)}
      WHERE id = ${sessionId} AND sealing = 'PENDING' AND sealing_blob_id = ${blobId} RETURNING id`);
    if (failed.length > 0) await recordFailure(tx, attempt, text, after);
  });
}

async function recordFailure(
  tx: Transaction,
  attempt: SealingAttempt,
  error: string,
  after: number | undefined,
) {
  const { organizationId, projectId, documentId, sessionId, attempts } = attempt;
  await recordEvents(SERVER_ACTOR, tx, [
    {
      organizationId,
      projectId,
      subjectId: documentId,
      kind: 'document.sealingFailed',
      data: { sessionId, attempts, error, final: after === undefined },
    },
  ]);
}
