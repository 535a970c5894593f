import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { visibleTasks } from '../access/access.ts';
import { recipients, visibleToRecipient } from '../access/access-notification.ts';
import { findOrCreateTags, tagsByKey } from '../fields/tag-change.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { normalizedKey } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import type { Task } from './task.ts';

/** The tags of a task, in alphabetical order, and the ids of its stakeholders, in the order of their names. */
export interface TaskDetails {
  id: string;
  tags: string[];
  stakeholderIds: string[];
}

/** Reads tags and stakeholders. The caller has checked that the tasks are visible. */
export const findTaskDetails = (
  { db }: Pick<Context, 'db'>,
  taskIds: readonly string[],
  reader: Reader = db,
) =>
  reader.query<TaskDetails>(sql`SELECT t.id,
    coalesce((SELECT array_agg(c.text ORDER BY c.text_key) FROM task_tags x
      JOIN ${tables.tags.from} ON c.organization_id = x.organization_id AND c.id = x.tag_id
      WHERE x.organization_id = t.organization_id AND x.task_id = t.id), '{}') AS tags,
    coalesce((SELECT array_agg(s.user_id ORDER BY m.name_key, m.user_id) FROM task_stakeholders s
      JOIN ${tables.memberships.from} ON m.organization_id = s.organization_id AND m.user_id = s.user_id
      WHERE s.organization_id = t.organization_id AND s.task_id = t.id), '{}') AS stakeholder_ids
    FROM ${tables.tasks.from} WHERE t.id ${sql.any(taskIds)}`);

/** The longest chain of parents that is read. */
const MAX_ANCESTORS = 100;

/** The ids of the tasks above each of these, from the top down to the parent, up to the first that the viewer does not see. */
export const findTaskAncestors = ({ db, viewer }: Context, taskIds: readonly string[]) =>
  db.query<{
    id: string;
    ancestorIds: string[];
  }>(sql`WITH RECURSIVE above(id, organization_id, ancestor_id, parent_id, depth) AS (
      SELECT c.id, c.organization_id, NULL::text COLLATE "C", c.parent_id, 0 FROM tasks c WHERE c.id ${sql.any(taskIds)}
      UNION ALL SELECT above.id, t.organization_id, t.id, t.parent_id, above.depth + 1
        FROM above JOIN ${tables.tasks.from} ON t.organization_id = above.organization_id AND t.id = above.parent_id
        WHERE above.depth < ${MAX_ANCESTORS} AND ${visibleTasks(viewer, tables.tasks)})
    SELECT id, array_agg(ancestor_id ORDER BY depth DESC) AS ancestor_ids FROM above WHERE depth > 0 GROUP BY id`);

type TaskKeys = Pick<Task, 'organizationId' | 'projectId' | 'id'>;

/** Adds tags to tasks of one project, which have none of them yet. */
export async function tagTasks(
  tx: Transaction,
  tasks: readonly { task: TaskKeys; tags: readonly string[] }[],
): Promise<void> {
  const [first] = tasks;
  const texts = tasks.flatMap(({ tags }) => tags);
  if (!first || texts.length === 0) return;
  const tagIds = await findOrCreateTags(tx, first.task, texts);
  await tx.prisma.taskTag.createMany({
    data: tasks.flatMap(({ task: { organizationId, id: taskId }, tags }) =>
      [...tagsByKey(tags).keys()].map((key) => ({
        organizationId,
        taskId,
        tagId: tagIds.get(key) as string,
      })),
    ),
  });
}

/** A person to name as a stakeholder of a task; `at` is where the input names them. */
export interface NamedStakeholder {
  taskId: string;
  userId: string;
  at: string;
}

/**
 * Names stakeholders of tasks of one organization. Throws NOT_FOUND with its path for a person who is no member, or who
 * does not see the task: they would be told of what they may not see. Memberships are locked until the transaction ends.
 */
export async function addStakeholders(
  tx: Transaction,
  organizationId: string,
  named: readonly NamedStakeholder[],
): Promise<void> {
  if (named.length === 0) return;
  const taskIds = named.map(({ taskId }) => taskId);
  const userIds = named.map(({ userId }) => userId);
  await tx.query(sql`SELECT m.id FROM ${tables.memberships.from} WHERE m.organization_id = ${organizationId}
    AND m.user_id = ANY(${userIds}) ORDER BY m.id FOR SHARE OF m`);
  const informed = await tx.query<Omit<NamedStakeholder, 'at'>>(sql`SELECT x.task_id, x.user_id
    FROM unnest(${sql.texts(taskIds)}, ${sql.texts(userIds)}) AS x(task_id, user_id)
    JOIN ${recipients(organizationId)} ON recipient.id = x.user_id
    WHERE ${visibleToRecipient(organizationId, sql`x.task_id`)}`);
  const keys = new Set(informed.map(keyOf));
  const other = named.find((each) => !keys.has(keyOf(each)));
  if (other) throw notFound('Member who sees the task', other.at);
  await tx.prisma.taskStakeholder.createMany({
    data: named.map(({ taskId, userId }) => ({ organizationId, taskId, userId })),
    skipDuplicates: true,
  });
}

const keyOf = ({ taskId, userId }: Omit<NamedStakeholder, 'at'>): string => `${taskId} ${userId}`;

/** The changed lists of a task; a list that is left out, or has the same items, is the one before. */
export function changedDetails(
  before: TaskDetails,
  { tags, stakeholderIds }: { tags?: string[] | null; stakeholderIds?: string[] | null },
): TaskDetails {
  return {
    id: before.id,
    tags:
      tags && !isSame(before.tags.map(normalizedKey), [...tagsByKey(tags).keys()])
        ? [...tagsByKey(tags)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
        : before.tags,
    stakeholderIds:
      stakeholderIds && !isSame(before.stakeholderIds, stakeholderIds)
        ? [...new Set(stakeholderIds)]
        : before.stakeholderIds,
  };
}

/** Whether both have the same items, in any order. */
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === new Set(other).size && other.every((each) => one.includes(each));

/** Writes the changed lists of a task; `stakeholderIds` is the input's list, for the paths of errors. */
export async function writeDetails(
  tx: Transaction,
  task: TaskKeys,
  before: TaskDetails,
  after: TaskDetails,
  stakeholderIds: readonly string[] = [],
): Promise<void> {
  const { organizationId, id: taskId } = task;
  if (after.tags !== before.tags) {
    await tx.prisma.taskTag.deleteMany({ where: { organizationId, taskId } });
    await tagTasks(tx, [{ task, tags: after.tags }]);
  }
  if (after.stakeholderIds === before.stakeholderIds) return;
  const removed = before.stakeholderIds.filter((id) => !after.stakeholderIds.includes(id));
  await tx.prisma.taskStakeholder.deleteMany({ where: { organizationId, taskId, userId: { in: removed } } });
  const added = after.stakeholderIds.filter((id) => !before.stakeholderIds.includes(id));
  const named = added.map((userId) => ({
    taskId,
    userId,
    at: `stakeholderIds.${stakeholderIds.indexOf(userId)}`,
  }));
  await addStakeholders(tx, organizationId, named);
}
