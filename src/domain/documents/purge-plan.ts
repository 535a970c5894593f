import { sql } from '../../db/sql/sql.ts';
import { roleSuffices } from '../access/project-action.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { requireBatchSize } from '../kernel/input.ts';
import { findProjects, inOrderOf, type Project } from '../projects/project.ts';
import { retainedAmong } from '../retention/document-retention.ts';
import { type Document, findDocuments } from './document.ts';

/** The reasons in a document itself that prevent its purge. */
export const OBSTACLES = {
  NOT_RECYCLED: 'A document is not in the recycle bin.',
  LEGAL_HOLD: 'A document is under legal hold.',
  RETENTION: 'A retention policy keeps a document.',
} as const;

/** The reasons that prevent the purge of a document, for every viewer and for the sweep. `isRetained`: by a policy. */
export const obstaclesOf = (
  { state, legalHold }: Document,
  isRetained: boolean,
): (keyof typeof OBSTACLES)[] => [
  ...(state === 'RECYCLED' ? [] : (['NOT_RECYCLED'] as const)),
  ...(legalHold ? (['LEGAL_HOLD'] as const) : []),
  ...(isRetained ? (['RETENTION'] as const) : []),
];

type Obstacle = keyof typeof OBSTACLES | 'ROLE' | 'PROJECT_DISABLED';

const obstaclesIn = ({ viewerRole, disabledAt }: Project): Obstacle[] => [
  ...(roleSuffices(viewerRole, 'purgeDocuments') ? [] : (['ROLE'] as const)),
  ...(disabledAt ? (['PROJECT_DISABLED'] as const) : []),
];

/** What a purge deletes with a document: counts, and bytes that nothing else in the organization uses. */
interface Losses {
  revisions: number;
  comments: number;
  signatureSessions: number;
  bytes: bigint;
}

export type PurgePlan = Losses & { document: Document; obstacles: Obstacle[] };

/**
 * Returns what a purge of these documents would delete, and what prevents it, in the order of the ids. Changes nothing.
 * Throws NOT_FOUND for invisible documents.
 */
export async function planPurge(ctx: Context, ids: readonly string[]): Promise<PurgePlan[]> {
  requireBatchSize(ids, ctx.limits.batchMax, 'ids');
  const uniqueIds = [...new Set(ids)];
  const documents = await findDocuments(ctx, uniqueIds);
  requireFound('Document', uniqueIds, documents, positionIn('ids', ids));
  const projects = await findProjects(ctx, [...new Set(documents.map(({ projectId }) => projectId))]);
  const retained = await retainedAmong(ctx.db, documents);
  const losses = new Map((await findLosses(ctx, uniqueIds)).map(({ id, ...loss }) => [id, loss]));
  return inOrderOf(
    documents,
    uniqueIds.map((id) => ({ id })),
  ).map((document) => {
    const project = projects.find(({ id }) => id === document.projectId) as Project;
    return {
      ...(losses.get(document.id) as Losses),
      document,
      obstacles: [...obstaclesOf(document, retained.has(document.id)), ...obstaclesIn(project)],
    };
  });
}

const findLosses = ({ db }: Context, ids: string[]) =>
  db.query<Losses & { id: string }>(sql`SELECT d.id,
    (SELECT count(*)::int FROM revisions r WHERE r.organization_id = d.organization_id AND r.document_id = d.id) AS revisions,
    (SELECT count(*)::int FROM events e WHERE e.organization_id = d.organization_id AND e.subject_id = d.id
      AND e.kind = 'document.commented') AS comments,
    (SELECT count(*)::int FROM signature_sessions g
      WHERE g.organization_id = d.organization_id AND g.document_id = d.id) AS signature_sessions,
    (SELECT coalesce(sum(b.size), 0)::bigint FROM blobs b WHERE b.organization_id = d.organization_id
      AND b.id IN (SELECT r.blob_id FROM revisions r WHERE r.organization_id = d.organization_id AND r.document_id = d.id
        UNION ALL SELECT g.copy_blob_id FROM signature_sessions g
          WHERE g.organization_id = d.organization_id AND g.document_id = d.id
        UNION ALL SELECT x.blob_id FROM revisions r
          JOIN renditions x ON x.organization_id = r.organization_id AND x.revision_id = r.id
          WHERE r.organization_id = d.organization_id AND r.document_id = d.id)
      AND NOT EXISTS (SELECT FROM revisions o WHERE o.organization_id = b.organization_id AND o.blob_id = b.id
        AND o.document_id <> d.id)
      AND NOT EXISTS (SELECT FROM signature_sessions g WHERE g.organization_id = b.organization_id
        AND g.copy_blob_id = b.id AND g.document_id <> d.id)
      AND NOT EXISTS (SELECT FROM renditions x JOIN revisions o ON o.organization_id = x.organization_id AND o.id = x.revision_id
        WHERE x.organization_id = b.organization_id AND x.blob_id = b.id AND o.document_id <> d.id)
      AND NOT EXISTS (SELECT FROM form_templates t WHERE t.organization_id = b.organization_id AND t.blob_id = b.id)) AS bytes
    FROM documents d WHERE d.id ${sql.any(ids)}`);
