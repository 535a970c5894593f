import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import { dueNow } from '../due-work/round-robin.ts';
import type { Actor } from '../kernel/audit.ts';

/** Milliseconds of an attempt, after which another one may begin. */
export const SEALING_LEASE = 10 * MINUTE;

/** Milliseconds from each failure to the next attempt. After the last one, sealing is retried on request only. */
const BACK_OFF = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];

/** Milliseconds until the next attempt after this number of failures; undefined after the last. */
export const backOff = (attempts: number): number | undefined => BACK_OFF[attempts - 1];

/** Attempts to seal a session. */
export const MAX_ATTEMPTS = BACK_OFF.length + 1;

/** The actor of sealing events: the server. */
export const SERVER_ACTOR: Actor = { viewer: { userId: null, credentialId: null }, requestId: 'sealing' };

/** An attempt to seal a session; exclusive until its lease ends. */
export interface SealingAttempt {
  organizationId: string;
  projectId: string;
  documentId: string;
  sessionId: string;
  /** The blob it writes. Its id identifies the attempt: at the end the session must still name it. */
  blobId: string;
  attempts: number;
}

/** Schedules the sealing of a session, from the commit on. */
export async function requestSealing(tx: Transaction, sessionId: string): Promise<void> {
  await tx.query(sql`UPDATE signature_sessions SET sealing = 'PENDING', sealing_next_at = ${dueNow}
    WHERE id = ${sessionId}`);
  tx.wake('seal');
}
