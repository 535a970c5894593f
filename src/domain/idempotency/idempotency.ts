import { randomUUID } from 'node:crypto';
import { databaseTime } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { digest, seal, unseal } from '../../lib/seal.ts';
import { SECOND } from '../../lib/time.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, DomainError } from '../kernel/errors.ts';
import { fromStoredAnswer, HEADER, ownerOf, toStoredAnswer } from './stored-answer.ts';

const MAX_KEY_LENGTH = 255;

/** Milliseconds after which a repeated request may take over a claim that has had no effect. */
const CLAIM_TIMEOUT = 30 * SECOND;

interface KeyedRequest {
  /** The Idempotency-Key of the client. */
  key: string;
  /** Everything that identifies the request: another one with the same key is refused. */
  request: string;
}

/** The answer as text. Without `keep`, the key of a request that changed nothing is released and can be reused. */
interface Outcome {
  answer: string;
  keep: boolean;
}

export type ExecuteOnce = (
  ctx: Context,
  keyed: KeyedRequest,
  work: (ctx: Context) => Promise<Outcome>,
) => Promise<{ answer: string; replayed: boolean }>;

/**
 * Executes a request at most once per key and owner, and replays its answer to repeated requests; one with a secret only
 * to the same credential. The key is marked in the transaction of the changes: no mark means no effect. Throws CONFLICT
 * while the first request runs, if the key was used for another request, and if the answer was lost or too long to store, and RATE_LIMITED if the owner has too many keys.
 */
export const executeOnce =
  (report: (error: unknown, requestId: string) => void): ExecuteOnce =>
  async (ctx, { key, request }, work) => {
    if (key.length === 0 || key.length > MAX_KEY_LENGTH)
      throw badValue(HEADER, `must have 1 to ${MAX_KEY_LENGTH} characters`);
    const owner = ownerOf(ctx.viewer);
    const keyHash = digest(JSON.stringify([owner, key]));
    const claimed = {
      keyHash,
      ownerHash: digest(JSON.stringify([owner])),
      requestHash: digest(request),
      attempt: randomUUID(),
    };
    const storedAnswer = await claim(ctx, claimed);
    if (storedAnswer)
      return { answer: fromStoredAnswer(ctx.viewer, unseal(storedAnswer, key, keyHash)), replayed: true };
    const db: Database = { ...ctx.db, onBegin: (tx) => recordEffect(tx, claimed) };
    const { answer, keep } = await work({ ...ctx, db }).catch(async (error) => {
      await releaseKey(ctx.db, claimed);
      throw error;
    });
    const sealed = seal(toStoredAnswer(ctx.viewer, answer), key, keyHash);
    // The request has succeeded even if its answer cannot be stored.
    await storeAnswer(ctx.db, claimed, { sealed, keep }).catch((error) => report(error, ctx.requestId));
    return { answer, replayed: false };
  };

type Bytes = Uint8Array<ArrayBuffer>;

interface Claim {
  keyHash: Bytes;
  ownerHash: Bytes;
  requestHash: Bytes;
  attempt: string;
}

/** Claims the key for this attempt, or returns the stored, sealed answer. */
async function claim(
  ctx: Context,
  { keyHash, ownerHash, requestHash, attempt }: Claim,
): Promise<Bytes | undefined> {
  return inTransaction(ctx.db, async (tx) => {
    const { prisma } = tx;
    const now = await databaseTime(tx);
    const columns = {
      ownerHash,
      requestHash,
      attempt,
      heldUntil: new Date(now.getTime() + CLAIM_TIMEOUT),
      effectAt: null,
      answer: null,
      expiresAt: new Date(now.getTime() + ctx.limits.idempotency),
    };
    const { count: inserted } = await prisma.idempotencyKey.createMany({
      data: { keyHash, ...columns },
      skipDuplicates: true,
    });
    if (inserted > 0) return requireFewKeys(tx, ownerHash, ctx.limits.idempotencyKeys);
    const { count: replaced } = await prisma.idempotencyKey.updateMany({
      where: { keyHash, OR: [{ expiresAt: { lte: now } }, isAbandoned(requestHash, now)] },
      data: columns,
    });
    if (replaced > 0) return undefined;
    const existing = await prisma.idempotencyKey.findUnique({ where: { keyHash } });
    if (existing && !Buffer.from(existing.requestHash).equals(requestHash))
      throw conflict(`This ${HEADER} was used for another request.`, HEADER);
    if (existing?.answer) return existing.answer;
    if (existing?.effectAt && existing.heldUntil <= now)
      throw conflict(
        `The first request with this ${HEADER} was carried out, but its answer was lost. Read what came of it.`,
        HEADER,
      );
    throw new DomainError('CONFLICT', `The first request with this ${HEADER} is still under way.`, {
      at: HEADER,
      retryAfter: 1,
    });
  });
}

/** Throws RATE_LIMITED if the owner has more than `limit` keys that have not expired, until the oldest does. */
async function requireFewKeys({ query }: Transaction, ownerHash: Bytes, limit: number): Promise<undefined> {
  const [excess] = await query<{ seconds: number }>(sql`
    SELECT ceil(extract(epoch FROM (
      SELECT min(expires_at) FROM idempotency_keys WHERE owner_hash = ${ownerHash} AND expires_at > now()
    ) - now()))::int AS seconds
    FROM idempotency_keys WHERE owner_hash = ${ownerHash} AND expires_at > now() OFFSET ${limit} LIMIT 1`);
  if (excess)
    throw new DomainError(
      'RATE_LIMITED',
      `At most ${limit} ${HEADER}s of one caller are remembered at a time. Send a batch with one key, or wait until the oldest expires.`,
      { at: HEADER, retryAfter: excess.seconds },
    );
}

/** Condition for a claim that has timed out without effect. */
const isAbandoned = (requestHash: Bytes, now: Date): Prisma.IdempotencyKeyWhereInput => ({
  requestHash,
  answer: null,
  effectAt: null,
  heldUntil: { lte: now },
});

/** Runs in the transaction of the changes. Throws CONFLICT if another attempt has taken over the claim. */
async function recordEffect({ query }: Transaction, { keyHash, attempt }: Claim): Promise<void> {
  const updated = await query(sql`UPDATE idempotency_keys SET effect_at = coalesce(effect_at, now())
    WHERE key_hash = ${keyHash} AND attempt = ${attempt} RETURNING attempt`);
  if (updated.length === 0) throw conflict(`Another request with this ${HEADER} took over.`, HEADER);
}

async function storeAnswer(db: Database, claimed: Claim, { sealed, keep }: { sealed: Bytes; keep: boolean }) {
  if (!keep && (await releaseKey(db, claimed))) return;
  const { keyHash, attempt } = claimed;
  await inTransaction(db, ({ prisma }) =>
    prisma.idempotencyKey.updateMany({ where: { keyHash, attempt }, data: { answer: sealed } }),
  );
}

/** Deletes the claim if it had no effect. False if it stays. */
const releaseKey = (db: Database, { keyHash, attempt }: Claim): Promise<boolean> =>
  inTransaction(db, async ({ prisma }) => {
    const { count } = await prisma.idempotencyKey.deleteMany({ where: { keyHash, attempt, effectAt: null } });
    return count > 0;
  });
