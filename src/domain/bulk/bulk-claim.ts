import { randomUUID } from 'node:crypto';
import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { retryDelay } from '../due-work/retry.ts';
import { claimRoundRobin, dueNow } from '../due-work/round-robin.ts';
import { type Actor, continuationOf } from '../kernel/audit.ts';
import type { Limits } from '../kernel/context.ts';
import type { Scope } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import { endBulkOperation } from './bulk-end.ts';

/** For how long a claim lasts after the last line that was answered. */
const CLAIM_TIMEOUT = 2 * MINUTE;

/** How far ahead of its pace an organization may be: workers look for due lines as often. */
const AHEAD = 2 * SECOND;

/** The credential that started an operation, as it was then. */
export interface BulkCredential {
  organizationId: string;
  createdById: string;
  credentialId: string;
  scopes: Scope[];
  authorizedAt: Date;
  secondFactor: boolean;
}

/** An operation of which this process runs the next lines. `tries`: claims since the last line that was answered, with this one. */
export interface BulkClaim extends BulkCredential {
  id: string;
  attempt: string;
  tries: number;
  clientId: string | null;
  requestId: string;
  mutation: string;
}

/** Its start and its end are of whoever started it. */
const actorOf = (claim: BulkClaim): Actor => continuationOf({ ...claim, userId: claim.createdById });

/** On operations: claimed by this process, and running. */
export const isClaimed = ({ attempt }: BulkClaim): Sql =>
  sql`${tables.bulkOperations}.attempt = ${attempt} AND ${tables.bulkOperations}.state = 'RUNNING'`;

/** Claims the operation whose turn it is, round-robin over the organizations, and within one of the operation served least recently. */
export const claimBulkOperation = (db: Database): Promise<BulkClaim | undefined> =>
  claimRoundRobin(db, 'bulk', (idCondition) => inTransaction(db, (tx) => claim(tx, idCondition)));

/** Passes over an operation of which a line is being changed: its row is locked. */
async function claim(tx: Transaction, idCondition: Sql): Promise<BulkClaim | undefined> {
  const [due] = await tx.query<{ organizationId: string; id: string }>(sql`
    SELECT b.organization_id, b.id FROM bulk_operations b
    WHERE b.next_at <= now() AND b.organization_id ${idCondition} AND NOT EXISTS (
      SELECT FROM bulk_operations x WHERE x.organization_id = b.organization_id AND x.paced_until > ${nowPlus(AHEAD)})
    ORDER BY b.organization_id, b.next_at, b.id LIMIT 1 FOR UPDATE OF b SKIP LOCKED`);
  if (!due) return undefined;
  const attempt = randomUUID();
  const [claimed] = await tx.query<
    Omit<BulkClaim, 'attempt'>
  >(sql`UPDATE bulk_operations b SET state = 'RUNNING',
      attempt = ${attempt}, tries = b.tries + 1, next_at = ${nowPlus(CLAIM_TIMEOUT)}
    WHERE b.organization_id = ${due.organizationId} AND b.id = ${due.id}
    RETURNING b.organization_id, b.id, b.tries, b.created_by_id, b.credential_id, b.client_id, b.scopes,
      b.authorized_at, b.second_factor, b.request_id, b.mutation`);
  return claimed && { ...claimed, attempt };
}

/** On operations: keeps the claim while lines are answered. */
export const prolonged: Sql = sql`tries = 0, next_at = CASE WHEN ${tables.bulkOperations}.next_at IS NOT NULL THEN ${nowPlus(CLAIM_TIMEOUT)} END`;

/** What a slice of lines took of the pace of its organization. */
export interface SliceUse {
  lines: number;
  points: number;
}

/** Ends the claim after a slice of lines: the operation is complete, or due again in its turn. */
export function releaseBulkOperation(
  db: Database,
  limits: Limits,
  claimed: BulkClaim,
  use: SliceUse,
): Promise<unknown> {
  const { organizationId, id } = claimed;
  const pause = sql`make_interval(secs => ${pauseFor(limits, use) / SECOND})`;
  return inTransaction(db, async (tx) => {
    await tx.query(sql`UPDATE bulk_operations b SET next_at = ${dueNow}, attempt = NULL,
      paced_until = ${pause} + greatest(now(), (SELECT max(x.paced_until) FROM bulk_operations x WHERE x.organization_id = b.organization_id))
      WHERE b.organization_id = ${organizationId} AND b.id = ${id} AND ${isClaimed(claimed)}`);
    const isComplete = sql`b.done_count = b.line_count AND b.attempt IS NULL AND b.state = 'RUNNING'`;
    await endBulkOperation(tx, actorOf(claimed), claimed, { state: 'COMPLETED' }, isComplete);
  });
}

/** In ms: together, the operations of an organization run at half the pace of its requests, in lines and in points. */
function pauseFor({ requestsOrganization, pointsPerRequest }: Limits, { lines, points }: SliceUse): number {
  if (requestsOrganization === 0) return 0;
  const requests = Math.max(lines, pointsPerRequest === 0 ? 0 : points / pointsPerRequest);
  return (requests / (requestsOrganization / 2)) * MINUTE;
}

/** Ends the claim after a failure: the same line is tried again after a growing pause. */
export const postponeBulkOperation = (db: Database, claimed: BulkClaim): Promise<unknown> =>
  inTransaction(db, ({ query }) =>
    query(sql`UPDATE bulk_operations b SET next_at = ${nowPlus(retryDelay(claimed.tries))}, attempt = NULL
      WHERE b.organization_id = ${claimed.organizationId} AND b.id = ${claimed.id} AND ${isClaimed(claimed)}`),
  );

/** Ends a claimed operation that may not go on, for a reason that its owner reads. */
export const failBulkOperation = (db: Database, claimed: BulkClaim, failure: string): Promise<unknown> =>
  inTransaction(db, (tx) =>
    endBulkOperation(tx, actorOf(claimed), claimed, { state: 'FAILED', failure }, isClaimed(claimed)),
  );
