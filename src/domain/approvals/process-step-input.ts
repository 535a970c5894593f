import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { ApprovalRule, OverdueAction } from '../../generated/prisma/enums.ts';
import { findGroupsOf } from '../groups/group.ts';
import { requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { name } from '../kernel/input.ts';
import { findEditors } from './approval-editor.ts';
import type { Process } from './process.ts';

const members = {
  name,
  rule: z.enum(ApprovalRule).nullish(),
  need: z.int().min(1, 'must be at least 1').max(50, 'must be at most 50').nullish(),
  veto: z.boolean().nullish(),
  rank: z.int().min(0, 'must be at least 0').max(19, 'must be at most 19').nullish(),
  excludeRequester: z.boolean().nullish(),
  distinctFromEarlier: z.boolean().nullish(),
  dueAfterDays: z.int().min(1, 'must be at least 1').max(3_650, 'must be at most 3650').nullish(),
  onOverdue: z.enum(OverdueAction).nullish(),
  escalateToIds: z.array(z.string()).max(50, 'at most 50').nullish(),
  escalateToGroupId: z.string().nullish(),
  approverIds: z.array(z.string()).max(50, 'at most 50').nullish(),
  groupIds: z.array(z.string()).max(20, 'at most 20').nullish(),
};

type StepInput = z.output<z.ZodObject<typeof members>>;

/** Refuses a step without approvers, with both `rule` and `need`, or that needs more people than it names. */
function checkStep(step: StepInput, ctx: z.RefinementCtx): void {
  const { rule, need, approverIds, groupIds } = step;
  const { addIssue } = ctx;
  checkOverdue(step, ctx);
  const issue = (at: keyof StepInput, message: string) =>
    addIssue({ code: 'custom', path: [at], message, input: need });
  const people = new Set(approverIds).size;
  if (people === 0 && !groupIds?.length) issue('approverIds', 'must not be empty without groups');
  if (need == null) return;
  if (rule) issue('need', 'must not be given together with rule');
  if (!groupIds?.length && need > people) issue('need', `must be at most ${people}, the number of approvers`);
}

/** Refuses an action without a due time, ESCALATE without people or a group, and these without ESCALATE. */
function checkOverdue(
  { dueAfterDays, onOverdue, escalateToIds, escalateToGroupId }: StepInput,
  { addIssue }: z.RefinementCtx,
): void {
  const issue = (at: keyof StepInput, message: string) =>
    addIssue({ code: 'custom', path: [at], message, input: onOverdue });
  if (onOverdue && onOverdue !== 'REMIND' && dueAfterDays == null)
    issue('onOverdue', 'must not be given without dueAfterDays');
  const names = (escalateToIds?.length ?? 0) > 0 || escalateToGroupId != null;
  if (onOverdue === 'ESCALATE' && !names) issue('escalateToIds', 'must not be empty without a group');
  if (onOverdue !== 'ESCALATE' && names)
    issue(
      escalateToGroupId == null ? 'escalateToIds' : 'escalateToGroupId',
      'must be given with ESCALATE only',
    );
}

const list = <Step extends z.ZodType<Pick<StepInput, 'rank'>>>(step: Step) =>
  z
    .array(step)
    .min(1, 'must not be empty')
    .max(20, 'at most 20')
    .superRefine((steps, { addIssue }) => {
      const index = steps.findIndex(({ rank }) => (rank == null) !== (steps[0]?.rank == null));
      const message = 'must be given for each step or for none';
      if (index >= 0) addIssue({ code: 'custom', path: [index, 'rank'], message, input: steps });
    });

/** The steps of a new process. */
export const newSteps = list(z.strictObject(members).superRefine(checkStep));

/** The steps of a changed process: those with an id exist. */
export const changedSteps = list(
  z.strictObject({ ...members, id: z.string().nullish() }).superRefine(checkStep),
);

interface Named {
  id: string;
  /** Where the input names it. */
  at: string;
}

type NamingStep = Pick<StepInput, 'approverIds' | 'groupIds' | 'escalateToIds' | 'escalateToGroupId'>;

/** What the steps in the list at `at` name in `member`. */
const namedIn = (
  steps: readonly NamingStep[],
  member: 'approverIds' | 'groupIds' | 'escalateToIds',
  at: string,
): Named[] =>
  steps.flatMap((step, position) =>
    (step[member] ?? []).map((id, index) => ({ id, at: `${at}.${position}.${member}.${index}` })),
  );

/** The groups that the steps in the list at `at` name. */
const groupsIn = (steps: readonly NamingStep[], at: string): Named[] => [
  ...namedIn(steps, 'groupIds', at),
  ...steps.flatMap(({ escalateToGroupId: id }, position) =>
    id == null ? [] : [{ id, at: `${at}.${position}.escalateToGroupId` }],
  ),
];

/** The steps of one process, and where the input has them. */
export interface GivenSteps {
  steps: readonly NamingStep[];
  at: string;
}

/**
 * Throws NOT_FOUND with its path for an approver, or a person to escalate to, who is no editor of the project, and for a group that is not one of its
 * organization. Both are locked until the transaction ends.
 */
export async function requireApprovers(
  ctx: Context,
  tx: Transaction,
  { organizationId, projectId }: Pick<Process, 'organizationId' | 'projectId'>,
  given: readonly GivenSteps[],
): Promise<void> {
  await requireGroups(
    ctx,
    tx,
    organizationId,
    given.flatMap(({ steps, at }) => groupsIn(steps, at)),
  );
  const people = given.flatMap(({ steps, at }) => [
    ...namedIn(steps, 'approverIds', at),
    ...namedIn(steps, 'escalateToIds', at),
  ]);
  const userIds = [...new Set(people.map(({ id }) => id))];
  const editors = new Set((await findEditors(tx, projectId, userIds)).map(({ userId }) => userId));
  const other = people.find(({ id }) => !editors.has(id));
  if (other) throw notFound('Editor of the project', other.at);
}

async function requireGroups(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  named: readonly Named[],
): Promise<void> {
  if (named.length === 0) return;
  const ids = [...new Set(named.map(({ id }) => id))];
  await tx.query(sql`SELECT id FROM groups WHERE organization_id = ${organizationId} AND id ${sql.any(ids)}
    ORDER BY id FOR KEY SHARE`);
  const groups = await findGroupsOf(ctx, tx, organizationId, ids);
  requireFound('Group', ids, groups, (id) => named.find((each) => each.id === id)?.at ?? 'groupIds');
}
