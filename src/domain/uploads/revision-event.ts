import type { Transaction } from '../../db/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { toHex } from '../../lib/text/hex.ts';
import { type RevisionContent, readContents } from '../documents/revision-content.ts';
import { type NewEvent, subjectEvent } from '../kernel/audit.ts';
import type { ReceivedFile } from './upload-inspect.ts';

/** The revision that a file is to become. */
export interface NewRevision {
  file: ReceivedFile;
  documentId: string;
  number: number;
  blobId: string;
  /** Counted now, or stored with a blob of the same bytes. */
  pageCount: number | null;
}

/** The events of stored revisions. `source` is added to those of new documents. */
export async function revisionEvents(
  tx: Transaction,
  projectId: string,
  revisions: readonly NewRevision[],
  source: Prisma.InputJsonObject = {},
): Promise<NewEvent[]> {
  const newest = await contentsBefore(tx, revisions);
  return revisions.map(
    ({ file: { upload, name, folderId, contentType, documentId: revised }, ...revision }) => {
      const { documentId: id, number } = revision;
      const content = {
        revision: number,
        contentType,
        size: Number(upload.size),
        sha256: toHex(upload.sha256),
      };
      const document = { organizationId: upload.organizationId, projectId, id };
      if (!revised)
        return subjectEvent(document, 'document.created', {
          after: { name, folderId, ...content, ...source },
        });
      const after = { ...content, restoredFrom: null };
      const before = { ...newest.get(id) };
      newest.set(id, after);
      return subjectEvent(document, 'document.revised', { before, after });
    },
  );
}

/** The content that documents had before their first new revision. */
async function contentsBefore(
  tx: Transaction,
  revisions: readonly NewRevision[],
): Promise<Map<string, RevisionContent>> {
  const revised = revisions.filter(({ file }) => file.documentId);
  const first = new Map(revised.toReversed().map(({ documentId, number }) => [documentId, number - 1]));
  const keys = [...first].map(([documentId, number]) => ({ documentId, number }));
  return readContents(tx, revised[0]?.file.upload.organizationId ?? '', keys);
}
