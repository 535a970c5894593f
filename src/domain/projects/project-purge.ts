import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { type DueWork, doAllDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { recordEvents } from '../kernel/audit.ts';
import { purgeStates } from '../kernel/record/state-write.ts';
import { tables } from '../kernel/tables.ts';

/**
 * Purges projects deleted more than `retention` milliseconds ago; returns how many. First makes their documents due for
 * the sweep, then deletes projects without documents, one per transaction. A document under legal hold keeps its project.
 */
export async function purgeProjects(db: Database, retention: number): Promise<number> {
  const before = nowPlus(-retention);
  await db.query(sql`UPDATE documents d SET state = 'RECYCLED', purge_at = least(d.purge_at, now()),
    recycled_at = coalesce(d.recycled_at, p.purge_marked_at), recycled_by_id = coalesce(d.recycled_by_id, p.purge_marked_by_id)
    FROM projects p WHERE p.organization_id = d.organization_id AND p.id = d.project_id
    AND p.purge_marked_at <= ${before} AND (d.purge_at IS NULL OR d.purge_at > now())`);
  return doAllDueWork(db, purging(before));
}

type DueProject = DueRow & { name: string };

const purging = (before: Sql): DueWork<DueProject> => ({
  work: 'purgeProject',
  async claim(tx, idCondition) {
    const [project] =
      await tx.query<DueProject>(sql`SELECT p.organization_id, p.id, p.name FROM ${tables.projects.from}
      WHERE p.purge_marked_at <= ${before} AND p.organization_id ${idCondition}
        AND NOT EXISTS (SELECT FROM documents d WHERE d.organization_id = p.organization_id AND d.project_id = p.id)
        AND ${mayBeTried('purgeProject', tables.projects)}
      ORDER BY p.organization_id, p.id LIMIT 1 FOR UPDATE SKIP LOCKED`);
    return project;
  },
  run: purge,
});

async function purge(tx: Transaction, { organizationId, id, name }: DueProject): Promise<void> {
  const projectPath = { organizationId, projectId: id };
  // Deleted first: rows of the project that refer to each other would block the cascade.
  await tx.prisma.task.deleteMany({ where: projectPath });
  await tx.prisma.processRun.deleteMany({ where: projectPath });
  const copies = await tx.query<{ id: string }>(sql`UPDATE projects SET source_id = NULL
    WHERE organization_id = ${organizationId} AND source_id = ${id} RETURNING id`);
  await tx.prisma.project.delete({ where: { id } });
  await purgeStates(tx, organizationId, id);
  await recordEvents({ viewer: { userId: null, credentialId: null }, requestId: 'sweep' }, tx, [
    {
      ...{ ...projectPath, subjectId: id, touched: copies.map((copy) => copy.id) },
      ...{ kind: 'project.purged', data: { before: { name } } },
    },
  ]);
}
