import { randomUUID } from 'node:crypto';
import { databaseTime } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { digest, seal, unseal } from '../../lib/seal.ts';
import { holdsSecret } from '../../lib/secret.ts';
import { SECOND } from '../../lib/time.ts';
import { isApplication } from '../access/role.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict, DomainError } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';

const LONGEST = 255;

/** How long a request is left to the process that began it; then another may begin it anew, if it has changed nothing. */
const HOLD = 30 * SECOND;

const AT = 'Idempotency-Key';

export interface Named {
  /** What the sender calls this request. */
  key: string;
  /** All that makes it this request and no other. */
  request: string;
}

/** What came of the work, as text; without `keep`, where it changed nothing, it is as if the key had never been used. */
export interface Outcome {
  answer: string;
  keep: boolean;
}

export type Once = (
  ctx: Context,
  named: Named,
  work: (ctx: Context) => Promise<Outcome>,
) => Promise<{ answer: string; replayed: boolean }>;

/**
 * Carries a request out at most once, and gives its first answer again to whoever sends it again under its key: the same
 * user, or the same grant of an application; an answer that shows a secret only to the same credential. What the work changes, it changes in one transaction with a mark on the
 * key, so that also a process that dies in between leaves no doubt: without the mark nothing was done. Throws CONFLICT
 * while the first is under way, for another request under the key, and where the answer was lost with its process.
 */
export const answerOnce =
  (report: (error: unknown, requestId: string) => void): Once =>
  async (ctx, { key, request }, work) => {
    if (key.length === 0 || key.length > LONGEST)
      throw badInput(`${AT}: must have 1 to ${LONGEST} characters`, AT);
    const keyHash = digest(JSON.stringify([ownerOf(ctx.viewer), key]));
    const mine = { keyHash, requestHash: digest(request), attempt: randomUUID() };
    const kept = await claim(ctx, mine);
    if (kept) return { answer: shownTo(ctx.viewer, unseal(kept, key, keyHash)), replayed: true };
    const db: Database = { ...ctx.db, onBegin: (tx) => mark(tx, mine) };
    const { answer, keep } = await work({ ...ctx, db }).catch(async (error) => {
      await release(ctx.db, mine);
      throw error;
    });
    const sealed = seal(storedFor(ctx.viewer, answer), key, keyHash);
    // The answer stands, whatever becomes of keeping it.
    await settle(ctx.db, mine, { sealed, keep }).catch((error) => report(error, ctx.requestId));
    return { answer, replayed: false };
  };

/** Two people, or two applications, may choose the same key. */
const ownerOf = (viewer: Viewer): string =>
  isApplication(viewer) ? viewer.credentialId : (viewer.link ?? viewer.userId);

const credentialOf = ({ credentialId, link }: Viewer): string => credentialId || (link ?? '');

/** Stands before the credential that an answer is meant for, on a line of its own; answers are JSON, and never begin so. */
const ONLY = 'only ';

const storedFor = (viewer: Viewer, answer: string): string =>
  holdsSecret(answer) ? `${ONLY}${credentialOf(viewer)}\n${answer}` : answer;

/**
 * The answer as it was stored. Throws CONFLICT where it shows a secret and another credential asks: a key that leaked must
 * not give what its owner made with another one.
 */
function shownTo(viewer: Viewer, stored: string): string {
  if (!holdsSecret(stored)) return stored;
  const mine = `${ONLY}${credentialOf(viewer)}\n`;
  if (stored.startsWith(mine)) return stored.slice(mine.length);
  throw conflict(
    `The first request with this ${AT} was carried out with another credential, and its answer shows a secret. Read what came of it.`,
    AT,
  );
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Claim {
  keyHash: Bytes;
  requestHash: Bytes;
  attempt: string;
}

/** Takes the key for this attempt; or gives the sealed answer that is kept. */
async function claim(ctx: Context, { keyHash, requestHash, attempt }: Claim): Promise<Bytes | undefined> {
  return inTransaction(ctx.db, async (tx) => {
    const { prisma } = tx;
    const now = await databaseTime(tx);
    const facts = {
      requestHash,
      attempt,
      heldUntil: new Date(now.getTime() + HOLD),
      effectAt: null,
      answer: null,
      expiresAt: new Date(now.getTime() + ctx.limits.idempotency),
    };
    const { count: fresh } = await prisma.idempotencyKey.createMany({
      data: { keyHash, ...facts },
      skipDuplicates: true,
    });
    if (fresh > 0) return undefined;
    const { count: taken } = await prisma.idempotencyKey.updateMany({
      where: { keyHash, OR: [{ expiresAt: { lte: now } }, cutOff(requestHash, now)] },
      data: facts,
    });
    if (taken > 0) return undefined;
    const found = await prisma.idempotencyKey.findUnique({ where: { keyHash } });
    if (found && !Buffer.from(found.requestHash).equals(requestHash))
      throw conflict(`This ${AT} was used for another request.`, AT);
    if (found?.answer) return found.answer;
    if (found?.effectAt && found.heldUntil <= now)
      throw conflict(
        `The first request with this ${AT} was carried out, but its answer was lost. Read what came of it.`,
        AT,
      );
    throw new DomainError('CONFLICT', `The first request with this ${AT} is still under way.`, {
      at: AT,
      retryAfter: 1,
    });
  });
}

/** Begun by a process that is gone, and without effect. */
const cutOff = (requestHash: Bytes, now: Date): Prisma.IdempotencyKeyWhereInput => ({
  requestHash,
  answer: null,
  effectAt: null,
  heldUntil: { lte: now },
});

/** In the transaction of the effect. Who was thought to be gone, and replaced, has none. */
async function mark({ query }: Transaction, { keyHash, attempt }: Claim): Promise<void> {
  const marked = await query(sql`UPDATE idempotency_keys SET effect_at = coalesce(effect_at, now())
    WHERE key_hash = ${keyHash} AND attempt = ${attempt} RETURNING attempt`);
  if (marked.length === 0) throw conflict(`Another request with this ${AT} took over.`, AT);
}

async function settle(db: Database, mine: Claim, { sealed, keep }: { sealed: Bytes; keep: boolean }) {
  if (!keep && (await release(db, mine))) return;
  const { keyHash, attempt } = mine;
  await inTransaction(db, ({ prisma }) =>
    prisma.idempotencyKey.updateMany({ where: { keyHash, attempt }, data: { answer: sealed } }),
  );
}

/** False where something was changed: then the key stays. */
const release = (db: Database, { keyHash, attempt }: Claim): Promise<boolean> =>
  inTransaction(db, async ({ prisma }) => {
    const { count } = await prisma.idempotencyKey.deleteMany({ where: { keyHash, attempt, effectAt: null } });
    return count > 0;
  });
