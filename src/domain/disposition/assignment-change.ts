import { z } from 'zod';
import type { Reader, Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { findFields } from '../fields/field.ts';
import { findFolders } from '../folders/folder.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, notFound } from '../kernel/errors.ts';
import { normalizedKey, parse, text } from '../kernel/input.ts';
import { lockRow } from '../kernel/version.ts';
import { findProjects } from '../projects/project.ts';
import { MAX_ASSIGNMENTS, type RetentionCoverage } from '../retention/rule.ts';
import { findAssignments, findPolicies, type RetentionPolicy } from './policy.ts';
import { lockPolicy, policyEvent } from './policy-change.ts';

/** What a policy is assigned to: one of them. */
export const scopeInput = z
  .strictObject({
    wholeOrganization: z.boolean().nullish(),
    projectId: z.string().nullish(),
    folderId: z.string().nullish(),
    choice: z.strictObject({ fieldId: z.string(), value: text(255).min(1) }).nullish(),
  })
  .refine(
    (scope) => Object.values(scope).filter((value) => value != null && value !== false).length === 1,
    'needs exactly one of wholeOrganization, projectId, folderId and choice',
  );

type ScopeInput = z.output<typeof scopeInput>;

/** A scope as it is stored. */
export type Scope = Omit<RetentionCoverage, 'policyId' | 'assignmentId'> & {
  target: string;
  choice: string | null;
};

const assignment = z.strictObject({ policyId: z.string(), scope: scopeInput });

/**
 * Assigns a policy to the organization, or to a project, a folder or a choice that the viewer sees. Requires OWNER or ADMIN. Throws
 * CONFLICT if it is assigned already, or counts from a field of another project. Not for applications.
 */
export function assignRetentionPolicy(
  ctx: Context,
  input: z.input<typeof assignment>,
): Promise<RetentionPolicy> {
  const { policyId, scope: given } = parse(assignment, input);
  requireNoApplication(ctx.viewer, 'retention');
  return inTransaction(ctx.db, async (tx) => {
    const policy = await lockPolicy(ctx, tx, policyId);
    const { organizationId } = policy;
    // So that neither is deleted meanwhile.
    if (given.folderId) await lockRow(tx, 'folders', given.folderId);
    if (given.choice) await lockRow(tx, 'fields', given.choice.fieldId);
    const scope = await requireScope(ctx, tx, policy, given, 'scope');
    await lockRow(tx, 'organizations', organizationId);
    if ((await tx.prisma.retentionAssignment.count({ where: { organizationId } })) >= MAX_ASSIGNMENTS)
      throw conflict(`An organization has at most ${MAX_ASSIGNMENTS} assignments of retention policies.`);
    const row = { ...scope, id: newId('RetentionAssignment'), policyId, createdById: ctx.viewer.userId };
    const { count } = await tx.prisma.retentionAssignment.createMany({ data: [row], skipDuplicates: true });
    if (count === 0) throw conflict('The policy is assigned there already.', 'scope');
    const data = { after: { assignmentId: row.id, ...shownScope(scope) } };
    await recordEvents(ctx, tx, [policyEvent(policy, 'retentionPolicy.assigned', data)]);
    return reread(ctx, tx, policyId);
  });
}

const removal = z.strictObject({ assignmentId: z.string() });

/** Takes back an assignment. Requires OWNER or ADMIN. Throws CONFLICT if the policy is locked. Not for applications. */
export function unassignRetentionPolicy(
  ctx: Context,
  input: z.input<typeof removal>,
): Promise<RetentionPolicy> {
  const { assignmentId } = parse(removal, input);
  requireNoApplication(ctx.viewer, 'retention');
  return inTransaction(ctx.db, async (tx) => {
    const [assigned] = await findAssignments(ctx, [assignmentId], tx);
    if (!assigned) throw notFound('Assignment', 'assignmentId');
    const policy = await lockPolicy(ctx, tx, assigned.policyId);
    if (policy.lockedAt)
      throw conflict('The policy is locked: its assignments cannot be removed.', 'assignmentId');
    const { count } = await tx.prisma.retentionAssignment.deleteMany({ where: { id: assignmentId } });
    if (count === 0) throw notFound('Assignment', 'assignmentId');
    const data = { before: { assignmentId, ...shownScope(assigned) } };
    await recordEvents(ctx, tx, [policyEvent(policy, 'retentionPolicy.unassigned', data)]);
    return reread(ctx, tx, policy.id);
  });
}

const shownScope = ({
  scope,
  projectId,
  folderId,
  fieldId,
  choice,
}: Omit<Scope, 'organizationId' | 'target' | 'choiceKey'>) => ({
  ...{ scope, projectId, folderId, fieldId, choice },
});

const reread = async (ctx: Context, tx: Transaction, id: string) =>
  (await findPolicies(ctx, [id], tx))[0] as RetentionPolicy;

/** The scope, checked. Throws NOT_FOUND, and BAD_USER_INPUT for one outside the project whose field the policy counts from. */
export async function requireScope(
  ctx: Context,
  reader: Reader,
  { organizationId, projectId }: Pick<RetentionPolicy, 'organizationId' | 'projectId'>,
  given: ScopeInput,
  at: string,
): Promise<Scope> {
  const scope = await toScope(ctx, reader, organizationId, given, at);
  if (projectId && scope.projectId !== projectId)
    throw badValue(at, 'must be within the project whose field the policy counts from');
  return scope;
}

async function toScope(
  ctx: Context,
  reader: Reader,
  organizationId: string,
  { projectId, folderId, choice }: ScopeInput,
  at: string,
): Promise<Scope> {
  const none = {
    organizationId,
    projectId: null,
    folderId: null,
    fieldId: null,
    choice: null,
    choiceKey: null,
  };
  const require = <Row extends { organizationId: string }>(
    [row]: Row[],
    what: string,
    member: string,
  ): Row => {
    if (row?.organizationId !== organizationId) throw notFound(what, `${at}.${member}`);
    return row;
  };
  if (projectId) {
    require(await findProjects(ctx, [projectId], reader), 'Project', 'projectId');
    return { ...none, scope: 'PROJECT', target: projectId, projectId };
  }
  if (folderId) {
    const folder = require(await findFolders(ctx, [folderId], reader), 'Folder', 'folderId');
    return { ...none, scope: 'FOLDER', target: folderId, projectId: folder.projectId, folderId };
  }
  if (!choice) return { ...none, scope: 'ORGANIZATION', target: '' };
  const field = require(await findFields(ctx, [choice.fieldId], reader), 'Field', 'choice.fieldId');
  const choiceKey = normalizedKey(choice.value);
  return {
    ...{ ...none, scope: 'CHOICE', target: `${field.id}:${choiceKey}`, projectId: field.projectId },
    ...{ fieldId: field.id, choice: choice.value, choiceKey },
  };
}
