import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import type { Blob } from '../../generated/prisma/client.ts';
import { visibleDocuments } from '../access/access.ts';
import { readShared } from '../access/shared-read.ts';
import type { Document } from '../documents/document.ts';
import { idsOf, pathOfMissing, positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { awake, type Follower, RECHECK_INTERVAL, watchOrganization } from '../kernel/follower.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';

/** As many as the largest page. */
const MAX_DOCUMENTS = 100;

const following = z.strictObject({ organizationId: z.string(), documentIds: z.array(z.string()) });

/**
 * Yields each document at once, and again whenever the text status of its newest revision changes, with the caller's
 * current rights. Throws UNAUTHENTICATED when the credential ends, and NOT_FOUND if a document is invisible at the start,
 * or later when none is visible any more.
 */
export async function* followTexts(
  { renew, signal }: Follower,
  input: z.input<typeof following>,
): AsyncGenerator<{ ctx: Context; document: Document }> {
  const { organizationId, documentIds } = parse(following, input);
  requireBatchSize(documentIds, MAX_DOCUMENTS, 'documentIds');
  const ids = [...new Set(documentIds)];
  let woken = awake();
  let ctx = await renew(woken.at);
  // All of them at the start, later at least one.
  let expected = ids.length;
  const sentStates = new Map<string, string>();
  const changes = watchOrganization(ctx, organizationId, signal);
  try {
    while (!signal.aborted) {
      const states = await readShared(ctx, ['texts', organizationId, ...ids], woken.since, () =>
        readStates(ctx, organizationId, ids),
      );
      const readAt = Date.now();
      if (states.length < expected)
        throw notFound('Document', pathOfMissing(ids, idsOf(states), positionIn('documentIds', documentIds)));
      expected = 1;
      const changed = states.filter((state) => sentStates.get(state.id) !== stateKey(state));
      for (const state of changed) {
        // A slow reader must not receive documents that it may no longer see.
        if (Date.now() - readAt > RECHECK_INTERVAL) break;
        sentStates.set(state.id, stateKey(state));
        yield { ctx, document: state };
      }
      const isAtEnd = changed.every((state) => sentStates.get(state.id) === stateKey(state));
      woken = isAtEnd ? await changes.waitForChange() : awake();
      if (!signal.aborted) ctx = await renew(woken.at);
    }
  } finally {
    changes.end();
  }
}

type State = Document & Pick<Blob, 'textStatus' | 'textError' | 'textAttempts'>;

const stateKey = ({ revisionNumber, textStatus, textError, textAttempts }: State): string =>
  JSON.stringify([revisionNumber, textStatus, textError, textAttempts]);

/** The states of visible documents, in the order of the ids. */
const readStates = ({ db, viewer }: Context, organizationId: string, documentIds: readonly string[]) =>
  db.query<State>(sql`SELECT d.*, b.text_status, b.text_error, b.text_attempts
    FROM unnest(${sql.texts(documentIds)}) WITH ORDINALITY AS k(id, position)
    JOIN ${tables.documents.from} ON d.organization_id = ${organizationId} AND d.id = k.id
    JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
    JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id
    WHERE ${visibleDocuments(viewer, tables.documents)} ORDER BY k.position`);
