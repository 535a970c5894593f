import type { GraphQLResolveInfo } from 'graphql';
import { recordOpenedDocuments } from '../../../domain/opened-documents/opened-document-change.ts';
import type { GraphContext } from '../../engine/context.ts';

/** Whether a query asks for this by itself, not as an item of a list: then a person opens it. */
function isSingle({ operation, path }: GraphQLResolveInfo): boolean {
  if (operation.operation !== 'query') return false;
  for (let at: typeof path | undefined = path; at; at = at.prev) if (typeof at.key === 'number') return false;
  return true;
}

/** Records that the viewer opens the document whose content the field leads to; not for items of a list, as in an export, nor for the past. */
export async function recordOpening(
  documentId: string,
  { load, past }: GraphContext,
  info: GraphQLResolveInfo,
): Promise<void> {
  if (!past && isSingle(info)) await load.of(recordOpenedDocuments, documentId, documentId);
}
