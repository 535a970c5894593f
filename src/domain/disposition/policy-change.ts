import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { RetentionAction, RetentionStart } from '../../generated/prisma/enums.ts';
import { newId } from '../../lib/id.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse } from '../kernel/input.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { type Keep, keepText } from '../retention/keep.ts';
import { MAX_POLICIES } from '../retention/rule.ts';
import { findPolicies, type RetentionPolicy } from './policy.ts';
import { FOR_EVER, keepInput, projectOfStart, requireStricter, reviewOf } from './policy-rule.ts';
import { endReviews } from './review-end.ts';

const review = {
  reviewGroupId: z.string().nullish(),
  reviewNeed: z.int().min(1).max(100).nullish(),
  reviewAgainMonths: z.int().min(1).max(1_200).nullish(),
};

const creation = z.strictObject({
  organizationId: z.string(),
  name,
  keep: keepInput.nullish(),
  startsFrom: z.enum(RetentionStart),
  fieldId: z.string().nullish(),
  action: z.enum(RetentionAction),
  ...review,
});

/**
 * Creates a policy, which keeps nothing before it is assigned. Requires OWNER or ADMIN of the organization. Throws CONFLICT for a
 * name in use, BAD_USER_INPUT for members that do not fit each other. Not for applications.
 */
export function createRetentionPolicy(
  ctx: Context,
  input: z.input<typeof creation>,
): Promise<RetentionPolicy> {
  const { organizationId, keep, ...given } = parse(creation, input);
  requireNoApplication(ctx.viewer, 'retention');
  return inTransaction(ctx.db, async (tx) => {
    await requireOrganizationAdmin(ctx, tx, organizationId);
    await lockRow(tx, 'organizations', organizationId);
    if ((await tx.prisma.retentionPolicy.count({ where: { organizationId } })) >= MAX_POLICIES)
      throw conflict(`An organization has at most ${MAX_POLICIES} retention policies.`);
    const projectId = await projectOfStart(ctx, tx, { organizationId, ...given });
    const id = newId('RetentionPolicy');
    const row = {
      ...{ organizationId, id, name: given.name, startsFrom: given.startsFrom, ...(keep ?? FOR_EVER) },
      ...{ fieldId: given.fieldId || null, projectId, action: given.action },
      ...(await reviewOf(ctx, tx, organizationId, given)),
    };
    await requireFreeName(tx, row);
    await tx.prisma.retentionPolicy.create({
      data: { ...row, nameKey: normalizedKey(row.name), createdById: ctx.viewer.userId },
    });
    return recordAndRead(ctx, tx, row, 'retentionPolicy.created', { after: shownState(row) });
  });
}

const update = z.strictObject({
  policyId: z.string(),
  name: name.nullish(),
  keep: keepInput.nullish(),
  forever: z.boolean().nullish(),
  action: z.enum(RetentionAction).nullish(),
  ...review,
  expectedVersion: z.int().nullish(),
});

/**
 * Changes a policy; members left out, or null, stay. `forever`: without end. The time of a locked policy gets longer only, and what
 * it does then destroys no more than before; also for owners. Throws CONFLICT. Not for applications.
 */
export function updateRetentionPolicy(ctx: Context, input: z.input<typeof update>): Promise<RetentionPolicy> {
  const { policyId, expectedVersion, ...given } = parse(update, input);
  requireNoApplication(ctx.viewer, 'retention');
  if (given.forever && given.keep) throw badValue('keep', 'is not given for what is kept for ever');
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockPolicy(ctx, tx, policyId);
    requireVersion(before, expectedVersion);
    const { keepMonths, keepDays } = given.forever ? FOR_EVER : (given.keep ?? before);
    const action = given.action ?? before.action;
    const reviewer = { ...before, ...withoutNulls(given), action };
    const after = {
      ...{ name: given.name ?? before.name, keepMonths, keepDays, action },
      ...(await reviewOf(
        ctx,
        tx,
        before.organizationId,
        action === before.action ? reviewer : given,
        action,
      )),
    };
    if (before.lockedAt) requireStricter(before, after);
    await requireFreeName(tx, { ...before, name: after.name });
    await tx.prisma.retentionPolicy.update({
      where: { id: policyId },
      data: { ...after, nameKey: normalizedKey(after.name), ...changedBy(ctx) },
    });
    const data = changes(shownState(before), shownState({ ...before, ...after }));
    return recordAndRead(ctx, tx, before, 'retentionPolicy.updated', data);
  });
}

const withoutNulls = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as {
    [Key in keyof Given]?: NonNullable<Given[Key]>;
  };

const locking = z.strictObject({ policyId: z.string(), expectedVersion: z.int().nullish() });

/**
 * Locks a policy, for good: from then on its time only becomes longer, and neither it nor its assignments can be removed, by
 * anybody. Requires OWNER or ADMIN, and a fresh proof in a browser. Throws CONFLICT if it is locked. Not for applications.
 */
export function lockRetentionPolicy(ctx: Context, input: z.input<typeof locking>): Promise<RetentionPolicy> {
  const { policyId, expectedVersion } = parse(locking, input);
  requireNoApplication(ctx.viewer, 'retention');
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockPolicy(ctx, tx, policyId);
    requireVersion(before, expectedVersion);
    if (before.lockedAt) throw conflict('The policy is locked already.', 'policyId');
    await requireFreshProof(tx, ctx.viewer);
    const lockedAt = await databaseTime(tx);
    await tx.prisma.retentionPolicy.update({
      where: { id: policyId },
      data: { lockedAt, lockedById: ctx.viewer.userId, ...changedBy(ctx) },
    });
    return recordAndRead(ctx, tx, before, 'retentionPolicy.locked', changes(before, { lockedAt }));
  });
}

const deletion = z.strictObject({ policyId: z.string() });

/** Deletes a policy with its assignments; returns its id. Its reviews end undecided. Throws CONFLICT if it is locked. Not for applications. */
export function deleteRetentionPolicy(ctx: Context, input: z.input<typeof deletion>): Promise<string> {
  const { policyId } = parse(deletion, input);
  requireNoApplication(ctx.viewer, 'retention');
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockPolicy(ctx, tx, policyId);
    if (before.lockedAt) throw conflict('The policy is locked: it cannot be deleted.', 'policyId');
    const ended = await endReviews(ctx, tx, before);
    await tx.prisma.retentionPolicy.delete({ where: { id: policyId } });
    await recordEvents(ctx, tx, [
      ...ended,
      policyEvent(before, 'retentionPolicy.deleted', { before: shownState(before) }),
    ]);
    return policyId;
  });
}

/** Locks and returns a policy for a change. Throws NOT_FOUND, FORBIDDEN unless the viewer is OWNER or ADMIN. */
export async function lockPolicy(ctx: Context, tx: Transaction, policyId: string): Promise<RetentionPolicy> {
  await lockRow(tx, 'retention_policies', policyId);
  const [policy] = await findPolicies(ctx, [policyId], tx);
  if (!policy) throw notFound('Retention policy', 'policyId');
  await requireOrganizationAdmin(ctx, tx, policy.organizationId);
  return policy;
}

/** Throws CONFLICT for the name of another policy; the lock keeps others from taking it meanwhile. */
async function requireFreeName(
  tx: Transaction,
  { organizationId, id, name }: Pick<RetentionPolicy, 'organizationId' | 'id' | 'name'>,
) {
  await lockRow(tx, 'organizations', organizationId);
  const other = await tx.prisma.retentionPolicy.findFirst({
    where: { organizationId, nameKey: normalizedKey(name), NOT: { id } },
  });
  if (other) throw conflict('The organization has a retention policy of this name.', 'name');
}

/** A policy as events show it. */
const shownState = (
  policy: Pick<
    RetentionPolicy,
    'name' | 'startsFrom' | 'fieldId' | 'action' | 'reviewGroupId' | 'reviewNeed' | 'reviewAgainMonths'
  > &
    Keep,
) => {
  const { name, startsFrom, fieldId, action, reviewGroupId, reviewNeed, reviewAgainMonths } = policy;
  return {
    name,
    keep: keepText(policy),
    startsFrom,
    fieldId,
    action,
    reviewGroupId,
    reviewNeed,
    reviewAgainMonths,
  };
};

export const policyEvent = (
  { organizationId, id }: Pick<RetentionPolicy, 'organizationId' | 'id'>,
  kind: string,
  data: Prisma.InputJsonObject,
) => subjectEvent({ organizationId, projectId: null, id }, kind, data);

async function recordAndRead(
  ctx: Context,
  tx: Transaction,
  policy: Pick<RetentionPolicy, 'organizationId' | 'id'>,
  kind: string,
  data: Prisma.InputJsonObject,
): Promise<RetentionPolicy> {
  await recordEvents(ctx, tx, [policyEvent(policy, kind, data)]);
  return (await findPolicies(ctx, [policy.id], tx))[0] as RetentionPolicy;
}
