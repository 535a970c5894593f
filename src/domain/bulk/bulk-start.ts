import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { issuedColumns } from '../access/credential-issue.ts';
import { dueNow } from '../due-work/round-robin.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, notFound, unauthenticated } from '../kernel/errors.ts';
import { type BulkOperation, findBulkOperations, RETENTION } from './bulk-operation.ts';

/** Operations that have not ended. */
const MAX_OF_ORGANIZATION = 5;
const MAX_OF_PERSON = 2;

/** Seconds after which one of them may have ended. */
const RETRY_AFTER = 60;

/** A mutation that the graph has validated, with the variables of each line as JSON. `field`: its name. */
export interface NewBulkOperation {
  organizationId: string;
  mutation: string;
  field: string;
  lines: readonly string[];
}

/**
 * Stores an operation whose lines the jobs run, as the credential of the viewer and in this organization alone. Throws NOT_FOUND to
 * those who are no members, and RATE_LIMITED above the number of operations that run at a time.
 */
export function startBulkOperation(ctx: Context, operation: NewBulkOperation): Promise<BulkOperation> {
  const { organizationId, field, lines } = operation;
  const { credentialId, memberships } = ctx.viewer;
  if (!credentialId) throw unauthenticated();
  if (!memberships.some((each) => each.organizationId === organizationId))
    throw notFound('Organization', 'organizationId');
  return inTransaction(ctx.db, async (tx) => {
    await requireFew(ctx, tx, organizationId);
    const id = newId('BulkOperation');
    await insertOperation(ctx, tx, id, operation);
    await tx.query(sql`INSERT INTO bulk_operation_lines (organization_id, operation_id, line, input)
      SELECT ${organizationId}, ${id}, x.line, x.input FROM unnest(${sql.texts(lines)}) WITH ORDINALITY x(input, line)`);
    const after = { mutation: field, lineCount: lines.length };
    await recordEvents(ctx, tx, [
      { organizationId, subjectId: id, kind: 'bulkOperation.started', data: { after } },
    ]);
    tx.wake('bulk');
    const [started] = await findBulkOperations(ctx, [id], tx);
    return started as BulkOperation;
  });
}

async function insertOperation(ctx: Context, tx: Transaction, id: string, operation: NewBulkOperation) {
  const { userId, credentialId, clientId, scopes } = ctx.viewer;
  const { organizationId, mutation, field, lines } = operation;
  const { authorizedAt, secondFactor } = await issuedColumns(tx, ctx.viewer);
  await tx.query(sql`INSERT INTO bulk_operations (organization_id, id, created_by_id, credential_id, client_id, scopes,
      authorized_at, second_factor, request_id, mutation, field, line_count, next_at, expires_at)
    VALUES (${organizationId}, ${id}, ${userId}, ${credentialId}, ${clientId ?? null}, ${sql.texts([...scopes])},
      ${authorizedAt}::timestamptz, ${secondFactor}::boolean, ${ctx.requestId}, ${mutation}, ${field}, ${lines.length}::int, ${dueNow}, ${nowPlus(RETENTION)})`);
}

/** Locks the organization, so that concurrent starts count one after the other. */
async function requireFew({ viewer }: Context, tx: Transaction, organizationId: string): Promise<void> {
  await tx.query(sql`SELECT o.id FROM organizations o WHERE o.id = ${organizationId} FOR NO KEY UPDATE`);
  const [count] = await tx.query<{ all: number; own: number }>(sql`SELECT count(*)::int AS all,
      count(*) FILTER (WHERE b.created_by_id = ${viewer.userId})::int AS own
    FROM bulk_operations b WHERE b.organization_id = ${organizationId} AND b.next_at IS NOT NULL`);
  const { all = 0, own = 0 } = count ?? {};
  if (own >= MAX_OF_PERSON)
    throw tooMany(`You have ${own} bulk operations in this organization`, MAX_OF_PERSON);
  if (all >= MAX_OF_ORGANIZATION)
    throw tooMany(`The organization has ${all} bulk operations`, MAX_OF_ORGANIZATION);
}

const tooMany = (have: string, limit: number) =>
  new DomainError(
    'RATE_LIMITED',
    `${have} that have not ended; ${limit} are allowed. Wait until one has ended, or cancel one.`,
    { at: 'organizationId', retryAfter: RETRY_AFTER },
  );
