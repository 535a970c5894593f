import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ProjectAccess } from '../../generated/prisma/enums.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { requireProjectRole } from '../access/project-action.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse } from '../kernel/input.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { requireNotCopying } from '../projects/copy-state.ts';
import { findProjects, type Project } from '../projects/project.ts';
import { declineForFormerApprovers } from './former-approver.ts';

const update = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  name: name.nullish(),
  access: z.enum(ProjectAccess).nullish(),
  disabled: z.boolean().nullish(),
  expectedVersion: z.int().nullish(),
});

type Change = Omit<z.output<typeof update>, 'projectId'>;

/** The project before the change. Throws NOT_FOUND, FORBIDDEN or CONFLICT where it may not be changed so. */
async function requireChangeable(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  { organizationId, access, disabled, expectedVersion }: Change,
): Promise<Project> {
  await lockRow(tx, 'projects', projectId);
  const [before] = await findProjects(ctx, [projectId], tx);
  if (!before || (organizationId && organizationId !== before.organizationId)) throw notFound('Project');
  requireProjectRole(disabled == null ? before : { ...before, disabledAt: null }, 'changeProject');
  requireVersion(before, expectedVersion);
  if (disabled === false) await requireNotCopying(tx, [projectId], () => 'disabled');
  if (access && access !== before.access) requireNoApplication(ctx.viewer, 'projectAccess');
  return before;
}

const changed = (before: Project, { name, access, disabled }: Change) => ({
  name: name ?? before.name,
  access: access ?? before.access,
  disabledAt: disabled == null ? before.disabledAt : disabled ? (before.disabledAt ?? new Date()) : null,
});

/**
 * Changes a project. Members that are absent or null keep their value. A disabled project can be changed only when it
 * is enabled in the same call. With access RESTRICTED, people who lose the project stop being approvers in it. Requires
 * the role ADMIN. Throws NOT_FOUND, FORBIDDEN, CONFLICT for another version, a disabled project, or one that is still
 * being copied.
 */
export function updateProject(ctx: Context, input: z.input<typeof update>): Promise<Project> {
  const { projectId, ...change } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireChangeable(ctx, tx, projectId, change);
    const after = changed(before, change);
    const { organizationId, accessChangedAt } = before;
    const accessChanges = after.access !== before.access;
    const by = changedBy(ctx);
    await tx.prisma.project.update({
      where: { id: projectId },
      data: {
        ...after,
        nameKey: normalizedKey(after.name),
        accessChangedAt: accessChanges ? by.modifiedAt : accessChangedAt,
        ...by,
      },
    });
    const declined = accessChanges
      ? await declineForFormerApprovers(ctx, tx, { organizationId, projectId })
      : [];
    const kind = 'project.updated';
    const data = changes(before, after);
    await recordEvents(ctx, tx, [
      { organizationId, projectId, subjectId: projectId, kind, data },
      ...declined,
    ]);
    return (await findProjects(ctx, [projectId], tx))[0] as Project;
  });
}
