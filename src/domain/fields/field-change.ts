import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { FieldType } from '../../generated/prisma/enums.ts';
import { newId } from '../../lib/id.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { idsOf, type PathOf, pathOfMissing, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, notFound } from '../kernel/errors.ts';
import { label, name, normalizedKey, parse, requireBatchSize, text } from '../kernel/input.ts';
import { type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { changedNow, lockRow, requireVersion } from '../kernel/version.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { type Field, findFields } from './field.ts';

/** The settings of a field other than name and type. A member left out keeps its value, or on creation the default. */
const fieldSettings = {
  parentId: z.string().nullish(),
  label: label(255).nullish(),
  rank: z.number().min(-1e9).max(1e9).nullish(),
  required: z.boolean().nullish(),
  sensitive: z.boolean().nullish(),
  multipleValues: z.boolean().nullish(),
  multipleLines: z.boolean().nullish(),
  rows: z.int().min(1).max(100).nullish(),
  choices: z.boolean().nullish(),
  choicesDependOnParent: z.boolean().nullish(),
  newChoicesAllowed: z.boolean().nullish(),
  newChoicesSaved: z.boolean().nullish(),
  decimalPlaces: z.int().min(0).max(20).nullish(),
  mask: text(255).nullish(),
  usesCreationDate: z.boolean().nullish(),
  textMatchType: text(255).nullish(),
  onDocuments: z.boolean().nullish(),
  labelHidden: z.boolean().nullish(),
};

type FieldSettings = z.output<z.ZodObject<typeof fieldSettings>>;

/** The columns of the settings that are neither null nor left out. An empty parentId removes the parent. */
function toColumns({ parentId, ...settings }: FieldSettings) {
  const columns = Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null));
  return parentId == null ? columns : { ...columns, parentId: parentId || null };
}

const projectInput = { organizationId: z.string().nullish(), projectId: z.string() };

const creation = z.strictObject({
  ...projectInput,
  fields: z.array(z.strictObject({ name, type: z.enum(FieldType), ...fieldSettings })),
});

/** Creates fields, all or none, in the order of the input. Requires the role ADMIN in the project. Throws CONFLICT for a name in use. */
export function createFields(ctx: Context, input: z.input<typeof creation>): Promise<Field[]> {
  const { organizationId: pathOrganizationId, projectId, fields } = parse(creation, input);
  requireBatchSize(fields, ctx.limits.batchMax, 'fields');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'changeFields', pathOrganizationId);
    await requireParents(
      ctx,
      tx,
      projectId,
      fields.map(({ parentId }, index) => ({ parentId, at: `fields.${index}.parentId` })),
    );
    const rows = fields.map(({ name, type, ...settings }) => ({
      ...toColumns(settings),
      organizationId,
      id: newId('Field'),
      projectId,
      name,
      nameKey: normalizedKey(name),
      type,
      createdById: ctx.viewer.userId,
    }));
    await insertFields(tx, rows);
    await recordEvents(
      ctx,
      tx,
      rows.map(({ id, name, type }) => ({
        organizationId,
        projectId,
        subjectId: id,
        kind: 'field.created',
        data: { after: { name, type } },
      })),
    );
    return inOrderOf(
      await findFields(
        ctx,
        rows.map(({ id }) => id),
        tx,
      ),
      rows,
    );
  });
}

/** Throws CONFLICT for a name in use, with its path. */
async function insertFields(tx: Transaction, rows: Prisma.FieldCreateManyInput[]): Promise<void> {
  const created = await tx.prisma.field.createManyAndReturn({
    data: rows,
    skipDuplicates: true,
    select: { id: true },
  });
  const at = pathOfMissing(idsOf(rows), idsOf(created), (id) => `fields.${idsOf(rows).indexOf(id)}.name`);
  if (at !== undefined) throw conflict('The project has a field of this name.', at);
}

async function requireParents(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  fields: readonly { parentId: string | null | undefined; at: string }[],
): Promise<void> {
  const parentIds = [...new Set(fields.flatMap(({ parentId }) => parentId || []))];
  const parents = parentIds.length > 0 ? await findFields(ctx, parentIds, tx) : [];
  for (const { parentId, at } of fields) {
    if (!parentId) continue;
    const parent = parents.find(({ id }) => id === parentId);
    if (parent?.projectId !== projectId) throw notFound('Field', at);
    if (parent.parentId) throw badValue(at, 'a field that depends on another has none below it');
  }
}

const update = z.strictObject({
  ...projectPath,
  fieldId: z.string(),
  name: name.nullish(),
  ...fieldSettings,
  expectedVersion: z.int().nullish(),
});

/** Updates a field. Members left out or null keep their value; the type cannot change. Requires the role ADMIN in the project. */
export function updateField(ctx: Context, input: z.input<typeof update>): Promise<Field> {
  const { organizationId, projectId, fieldId, expectedVersion, name, ...settings } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'fields', fieldId);
    const before = await requireField(ctx, tx, fieldId, { organizationId, projectId });
    if (settings.parentId && (await tx.prisma.field.count({ where: { parentId: fieldId } })) > 0)
      throw badValue('parentId', 'other fields depend on this one');
    if (settings.parentId === fieldId) throw badValue('parentId', 'is the field itself');
    await requireParents(ctx, tx, before.projectId, [{ parentId: settings.parentId, at: 'parentId' }]);
    requireVersion(before, expectedVersion);
    const after = { ...toColumns(settings), ...(name && { name }) };
    if (name && (await isNameTaken(tx, before, name)))
      throw conflict('The project has a field of this name.', 'name');
    await tx.prisma.field.update({
      where: { id: fieldId },
      data: {
        ...after,
        nameKey: normalizedKey(name ?? before.name),
        ...changedNow(),
      },
    });
    await recordEvents(ctx, tx, [subjectEvent(before, 'field.updated', changes(before, after))]);
    return (await findFields(ctx, [fieldId], tx))[0] as Field;
  });
}

const isNameTaken = async (tx: Transaction, { id, projectId }: Field, name: string): Promise<boolean> =>
  (await tx.prisma.field.count({ where: { projectId, nameKey: normalizedKey(name), id: { not: id } } })) > 0;

/** Reads the field for a change. Throws NOT_FOUND, or FORBIDDEN without the role ADMIN in its project. */
export async function requireField(
  ctx: Context,
  tx: Transaction,
  id: string,
  { organizationId, projectId }: ProjectPath,
): Promise<Field> {
  const [field] = await findFields(ctx, [id], tx);
  if (!field || (projectId && projectId !== field.projectId)) throw notFound('Field');
  await requireProject(ctx, tx, field.projectId, 'changeFields', organizationId);
  return field;
}

const deletion = z.strictObject({ ...projectInput, fieldIds: z.array(z.string()) });

/** Deletes fields with all their values, all or none. Requires the role ADMIN in the project. */
export function deleteFields(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { organizationId, projectId, fieldIds } = parse(deletion, input);
  requireBatchSize(fieldIds, ctx.limits.batchMax, 'fieldIds');
  const ids = [...new Set(fieldIds)];
  return inTransaction(ctx.db, async (tx) => {
    await requireProject(ctx, tx, projectId, 'changeFields', organizationId);
    const fields = (await findFields(ctx, ids, tx)).filter((field) => field.projectId === projectId);
    requireFound('Field', ids, fields, positionIn('fieldIds', fieldIds));
    const dependent = await tx.prisma.field.findFirst({
      where: { parentId: { in: ids }, id: { notIn: ids } },
    });
    if (dependent?.parentId)
      throw conflict(
        'Another field depends on this one.',
        positionIn('fieldIds', fieldIds)(dependent.parentId),
      );
    await requireUnusedInRetention(tx, ids, positionIn('fieldIds', fieldIds));
    await tx.prisma.field.deleteMany({ where: { id: { in: ids } } });
    await recordEvents(
      ctx,
      tx,
      fields.map((each) => subjectEvent(each, 'field.deleted', { before: { name: each.name } })),
    );
    return ids;
  });
}

/** Throws CONFLICT for a field that a retention policy starts from, or by whose value it is assigned. */
async function requireUnusedInRetention(
  tx: Transaction,
  ids: readonly string[],
  pathOf: PathOf,
): Promise<void> {
  const [used] = await tx.query<{ id: string }>(sql`SELECT y.field_id AS id FROM retention_policies y
    WHERE y.field_id ${sql.any(ids)} UNION ALL SELECT y.field_id FROM retention_assignments y WHERE y.field_id ${sql.any(ids)} LIMIT 1`);
  if (used) throw conflict('A retention policy uses the field.', pathOf(used.id));
}
