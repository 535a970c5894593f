import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { changes } from '../kernel/audit.ts';
import { positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { withdrawSessions } from '../projects/signature-withdraw.ts';
import { retainedAmong } from '../retention/document-retention.ts';
import type { Document } from './document.ts';
import {
  documentsInput,
  IN_RECYCLE_BIN,
  recordAndRead,
  requireDocuments,
  requireState,
  updateDocuments,
} from './document-batch.ts';
import { purge } from './purge.ts';
import { OBSTACLES, obstaclesOf } from './purge-plan.ts';

const bin = z.strictObject(documentsInput);

/**
 * Moves documents to the recycle bin until their purge date, and stops their signature sessions. Takes EDITOR. Throws
 * CONFLICT if one is recycled already.
 */
export function recycleDocuments(ctx: Context, input: z.input<typeof bin>): Promise<Document[]> {
  const { documentIds, ...path } = parse(bin, input);
  return inTransaction(ctx.db, async (tx) => {
    const documents = await requireDocuments(ctx, tx, documentIds, path, 'recycleDocuments');
    requireState(documents, 'ACTIVE', IN_RECYCLE_BIN, positionIn('documentIds', documentIds));
    const purgeAt = await databaseTime(tx, ctx.limits.recycleBin);
    await updateDocuments(ctx, tx, documentIds, {
      state: 'RECYCLED',
      recycledAt: new Date(),
      recycledById: ctx.viewer.userId,
      purgeAt,
    });
    const withdrawn = await withdrawSessions(
      ctx,
      tx,
      (documents) => sql`${documents}.id ${sql.any(documentIds)}`,
    );
    const data = (each: Document) => changes(each, { state: 'RECYCLED', purgeAt });
    return recordAndRead(ctx, tx, documents, 'document.recycled', data, withdrawn);
  });
}

/** Restores documents from the recycle bin to their folders. Takes EDITOR. Throws CONFLICT if one is not recycled. */
export function restoreDocuments(ctx: Context, input: z.input<typeof bin>): Promise<Document[]> {
  const { documentIds, ...path } = parse(bin, input);
  return inTransaction(ctx.db, async (tx) => {
    const documents = await requireDocuments(ctx, tx, documentIds, path, 'recycleDocuments');
    requireState(documents, 'RECYCLED', OBSTACLES.NOT_RECYCLED, positionIn('documentIds', documentIds));
    await updateDocuments(ctx, tx, documentIds, {
      state: 'ACTIVE',
      recycledAt: null,
      recycledById: null,
      purgeAt: null,
    });
    const data = (each: Document) => changes(each, { state: 'ACTIVE', purgeAt: null });
    return recordAndRead(ctx, tx, documents, 'document.restored', data);
  });
}

/** Deletes recycled documents with their revisions; their events stay. Takes ADMIN. Throws CONFLICT for what is held or retained. */
export function purgeDocuments(ctx: Context, input: z.input<typeof bin>): Promise<string[]> {
  const { documentIds, ...path } = parse(bin, input);
  return inTransaction(ctx.db, async (tx) => {
    const documents = await requireDocuments(ctx, tx, documentIds, path, 'purgeDocuments');
    const retained = await retainedAmong(tx, documents);
    for (const each of documents) {
      const [obstacle] = obstaclesOf(each, retained.has(each.id));
      if (obstacle) throw conflict(OBSTACLES[obstacle], positionIn('documentIds', documentIds)(each.id));
    }
    await purge(ctx, tx, documents);
    return documents.map(({ id }) => id);
  });
}
