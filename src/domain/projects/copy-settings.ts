import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { NewProjectCopy } from './copy-run.ts';
import { SETTINGS_COLUMNS } from './project-settings.ts';

/** Gives copies the settings of their sources. The sources are locked. */
export async function copySettings(tx: Transaction, copies: readonly NewProjectCopy[]): Promise<void> {
  if (copies.length === 0) return;
  const sourceIds = copies.map(({ sourceId }) => sourceId);
  const projectIds = copies.map(({ projectId }) => projectId);
  await tx.query(sql`INSERT INTO project_settings (organization_id, project_id, ${SETTINGS_COLUMNS})
    SELECT x.organization_id, c.id, ${SETTINGS_COLUMNS} FROM unnest(${sql.texts(projectIds)}, ${sql.texts(sourceIds)}) c(id, source_id)
    JOIN projects p ON p.id = c.source_id
    JOIN project_settings x ON x.organization_id = p.organization_id AND x.project_id = p.id`);
}
