import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Process as ProcessRow, ProcessStep as ProcessStepRow } from '../../generated/prisma/client.ts';
import { visibleProcesses } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';

export type Process = ProcessRow;
export type ProcessStep = ProcessStepRow;

export interface ProcessFilter {
  /** Prefix of the name, in any case. */
  namePrefix?: string | null;
  /** true: only disabled ones; false: only the others. */
  disabled?: boolean | null;
}

/** The processes of a project. */
export const processesOfProject: Listing<Process, ProcessFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'processesOfProject',
  select: () => sql`c.*`,
  from: tables.processes.from,
  where: (
    { viewer },
    { namePrefix, disabled },
  ) => sql`c.organization_id = k.organization_id AND c.project_id = k.id
    AND ${namePrefix ? startsWith(sql`c.name_key`, normalizedKey(namePrefix)) : sql`true`}
    AND ${disabled == null ? sql`true` : sql`(c.archived_at IS NOT NULL) = ${disabled}`}
    AND ${visibleProcesses(viewer, tables.processes)}`,
  sorts: {
    NAME: sortBy(sql`c.id`, sql`c.name_key`, 'text', (row) => row.nameKey),
    CREATED_AT: sortBy(sql`c.id`, sql`c.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Returns the processes with these ids that the viewer may see, in any order. */
export const findProcesses = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Process>(
    sql`SELECT c.* FROM ${tables.processes.from} WHERE c.id ${sql.any(ids)} AND ${visibleProcesses(ctx.viewer, tables.processes)}`,
  );

const isOfVisibleProcess = ({ viewer }: Context) => sql`EXISTS (SELECT FROM ${tables.processes.from}
  WHERE c.organization_id = s.organization_id AND c.id = s.process_id AND ${visibleProcesses(viewer, tables.processes)})`;

/** Returns the steps with these ids that the viewer may see, in any order. */
export const findProcessSteps = (ctx: Context, ids: readonly string[]) =>
  ctx.db.query<ProcessStep>(
    sql`SELECT s.* FROM process_steps s WHERE s.id ${sql.any(ids)} AND ${isOfVisibleProcess(ctx)}`,
  );
