import { z } from 'zod';
import { inTransaction } from '../db/transaction.ts';
import { type Event, Prisma } from '../generated/prisma/client.ts';
import { visibleDocuments } from './access.ts';
import { record } from './audit.ts';
import type { Context } from './context.ts';
import type { Document } from './document.ts';
import { IN_BIN, requireDocuments, requireState } from './document-batch.ts';
import { parse, requireBatch, text } from './input.ts';
import type { Listing } from './page.ts';

const { sql } = Prisma;

/** A comment is an event that says something; it is never changed. */
export type Comment = Pick<Event, 'id' | 'subjectId' | 'sequence' | 'actorId' | 'createdAt'> & {
  data: { text: string };
};

const KIND = 'document.commented';

const onVisibleDocument = ({
  viewer,
}: Context) => sql`e.kind = 'document.commented' AND EXISTS (SELECT FROM documents d
  WHERE d.organization_id = e.organization_id AND d.id = e.subject_id AND ${visibleDocuments(viewer)})`;

/** The comments on a document. */
export const commentsOfDocument: Listing<Comment, object, 'CREATED_AT'> = {
  name: 'commentsOfDocument',
  select: () => sql`e.*`,
  from: sql`events e`,
  where: (ctx) =>
    sql`e.organization_id = k.organization_id AND e.subject_id = k.id AND ${onVisibleDocument(ctx)}`,
  sorts: {
    CREATED_AT: {
      column: sql`e.sequence`,
      id: sql`e.id`,
      type: 'bigint',
      value: (row) => row.sequence,
      idOf: (row) => row.id,
    },
  },
};

export const findComments = (ctx: Context, ids: readonly string[]) =>
  ctx.db.query<Comment>(sql`SELECT e.* FROM events e WHERE e.id = ANY(${ids}) AND ${onVisibleDocument(ctx)}`);

const creation = z.strictObject({
  documentId: z.string(),
  projectId: z.string().nullish(),
  organizationId: z.string().nullish(),
  texts: z.array(text(10_000).refine((value) => value.trim() !== '', 'must not be empty')),
});

/** Says something on a document: one comment for each text, in order. Takes the role EDITOR in the project. */
export function createComments(ctx: Context, input: z.input<typeof creation>): Promise<Comment[]> {
  const { documentId, texts, ...place } = parse(creation, input);
  requireBatch(texts, ctx.limits.batchMax, 'texts');
  return inTransaction(ctx.db, async (tx) => {
    const documents = await requireDocuments(ctx, tx, [documentId], place, 'EDITOR');
    requireState(documents, 'ACTIVE', IN_BIN);
    const [{ organizationId, projectId }] = documents as [Document];
    const rows = await record(
      ctx,
      tx,
      texts.map((each) => ({
        organizationId,
        projectId,
        subjectId: documentId,
        kind: KIND,
        data: { text: each },
      })),
    );
    return rows as unknown as Comment[];
  });
}
