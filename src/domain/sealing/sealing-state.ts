import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Actor } from '../kernel/audit.ts';
import { dueNow } from '../kernel/round-robin.ts';

/** How long an attempt may take before another one may begin. */
export const SEALING_LEASE = 10 * MINUTE;

/** How long after a failure the next attempt comes; after the last one somebody has to ask for it. */
const BACK_OFF = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];

/** Milliseconds until the next attempt, after so many that failed; undefined when it was the last. */
export const backOff = (attempts: number): number | undefined => BACK_OFF[attempts - 1];

export const MAX_ATTEMPTS = BACK_OFF.length + 1;

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Nobody asks for a seal: it follows from the last signature. */
export const SERVER_ACTOR: Actor = { viewer: { userId: null, credentialId: null }, requestId: 'sealing' };

/** An attempt to seal a session: whoever has it is alone with it, until the lease ends. */
export interface SealingAttempt {
  organizationId: string;
  projectId: string;
  documentId: string;
  sessionId: string;
  /** The object that it writes, which nobody else knows: at the end it has to be the session's still. */
  blobId: string;
  attempts: number;
}

/** Makes a session due for its seal, from the commit on. */
export async function requestSealing(tx: Transaction, sessionId: string): Promise<void> {
  await tx.query(sql`UPDATE signature_sessions SET sealing = 'PENDING', sealing_next_at = ${dueNow}
    WHERE id = ${sessionId}`);
  tx.wake('seal');
}
