import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import type { Blob } from '../../generated/prisma/client.ts';
import { visibleDocuments } from '../access/access.ts';
import { readShared } from '../access/shared-read.ts';
import type { Document } from '../documents/document.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { type Follower, RECHECK_INTERVAL, watchOrganization } from '../kernel/follower.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';

/** As many as a page has at most. */
const MAX_DOCUMENTS = 100;

const following = z.strictObject({ organizationId: z.string(), documentIds: z.array(z.string()) });

/**
 * Each of the documents at once, and then again whenever the reading of its text has come further, of whichever revision
 * is its newest; with the rights of that moment. One that is gone is told of no more. Ends by throwing: UNAUTHENTICATED
 * with the credential, NOT_FOUND where a document is not visible at the beginning, and when none is left.
 */
export async function* followTexts(
  { renew, signal }: Follower,
  input: z.input<typeof following>,
): AsyncGenerator<{ ctx: Context; document: Document }> {
  const { organizationId, documentIds } = parse(following, input);
  requireBatchSize(documentIds, MAX_DOCUMENTS, 'documentIds');
  const ids = [...new Set(documentIds)];
  let since = performance.now();
  let ctx = await renew();
  // At the beginning all of them, then some.
  let expected = ids.length;
  const sentStates = new Map<string, string>();
  const news = watchOrganization(ctx, organizationId, signal);
  try {
    while (!signal.aborted) {
      const states = await readShared(ctx, ['texts', organizationId, ...ids], since, () =>
        readStates(ctx, organizationId, ids),
      );
      const read = Date.now();
      if (states.length < expected) throw notFound('Document', 'documentIds');
      expected = 1;
      const changed = states.filter((state) => sentStates.get(state.id) !== stateKey(state));
      for (const state of changed) {
        // A reader that takes its time must not be given what it may no longer see.
        if (Date.now() - read > RECHECK_INTERVAL) break;
        sentStates.set(state.id, stateKey(state));
        yield { ctx, document: state };
      }
      const isAtEnd = changed.every((state) => sentStates.get(state.id) === stateKey(state));
      since = isAtEnd ? await news.waitForChange() : performance.now();
      ctx = await renew();
    }
  } finally {
    news.end();
  }
}

type State = Document & Pick<Blob, 'textStatus' | 'textError' | 'textAttempts'>;

const stateKey = ({ revisionNumber, textStatus, textError, textAttempts }: State): string =>
  JSON.stringify([revisionNumber, textStatus, textError, textAttempts]);

/** Of those that the viewer sees, in the order asked for. */
const readStates = ({ db, viewer }: Context, organizationId: string, documentIds: readonly string[]) =>
  db.query<State>(sql`SELECT d.*, b.text_status, b.text_error, b.text_attempts
    FROM unnest(${documentIds}::text[]) WITH ORDINALITY AS k(id, place)
    JOIN documents d ON d.organization_id = ${organizationId} AND d.id = k.id
    JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
    JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id
    WHERE ${visibleDocuments(viewer)} ORDER BY k.place`);
