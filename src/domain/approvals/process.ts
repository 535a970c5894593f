import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Process as ProcessRow, ProcessStep as ProcessStepRow } from '../../generated/prisma/client.ts';
import { visibleProcesses } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import type { User } from '../users/user.ts';

export type Process = ProcessRow;
export type ProcessStep = ProcessStepRow;

export interface ProcessFilter {
  /** What the name starts with, whatever the case. */
  namePrefix?: string | null;
  /** With true only those that are disabled, with false only those that are not. */
  disabled?: boolean | null;
}

export const processesOfProject: Listing<Process, ProcessFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'processesOfProject',
  select: () => sql`c.*`,
  from: sql`processes c`,
  where: (
    { viewer },
    { namePrefix, disabled },
  ) => sql`c.organization_id = k.organization_id AND c.project_id = k.id
    AND ${namePrefix ? startsWith(sql`c.name_key`, normalizedKey(namePrefix)) : sql`true`}
    AND ${disabled == null ? sql`true` : sql`(c.archived_at IS NOT NULL) = ${disabled}`}
    AND ${visibleProcesses(viewer)}`,
  sorts: {
    NAME: sortBy(sql`c.id`, sql`c.name_key`, 'text', (row) => row.nameKey),
    CREATED_AT: sortBy(sql`c.id`, sql`c.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Those of the ids that are visible, in no particular order. */
export const findProcesses = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Process>(
    sql`SELECT c.* FROM processes c WHERE c.id = ANY(${ids}) AND ${visibleProcesses(ctx.viewer)}`,
  );

const ofVisibleProcess = ({ viewer }: Context) => sql`EXISTS (SELECT FROM processes c
  WHERE c.organization_id = s.organization_id AND c.id = s.process_id AND ${visibleProcesses(viewer)})`;

/** The steps of a process, in the order in which they are asked. */
export const stepsOfProcess: Listing<ProcessStep, object, 'RANK'> = {
  name: 'stepsOfProcess',
  select: () => sql`s.*`,
  from: sql`process_steps s`,
  where: (ctx) =>
    sql`s.organization_id = k.organization_id AND s.process_id = k.id AND ${ofVisibleProcess(ctx)}`,
  sorts: {
    RANK: { ...sortBy(sql`s.id`, sql`s.rank`, 'int', (row) => row.rank), unique: true },
  },
};

export const findProcessSteps = (ctx: Context, ids: readonly string[]) =>
  ctx.db.query<ProcessStep>(
    sql`SELECT s.* FROM process_steps s WHERE s.id = ANY(${ids}) AND ${ofVisibleProcess(ctx)}`,
  );

/** Who a step asks. */
export const approversOfStep: Listing<User, object, 'ID'> = {
  name: 'approversOfStep',
  select: () => sql`u.id, u.email, u.name`,
  from: sql`process_steps s
    JOIN process_step_approvers y ON y.organization_id = s.organization_id AND y.step_id = s.id
    JOIN users u ON u.id = y.user_id`,
  where: (ctx) => sql`s.organization_id = k.organization_id AND s.id = k.id AND ${ofVisibleProcess(ctx)}`,
  sorts: {
    ID: sortBy(sql`u.id`, sql`u.id`, 'text', (row) => row.id),
  },
};
