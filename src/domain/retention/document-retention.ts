import type { Reader } from '../../db/database.ts';
import type { Context } from '../kernel/context.ts';
import { findRetentions, type Retention } from './retention.ts';
import { readRules } from './rule.ts';

interface DocumentKey {
  organizationId: string;
  id: string;
}

/** What retention policies say of documents, by id; those that no policy keeps have no entry. */
export async function retentionsOf(
  reader: Reader,
  documents: readonly DocumentKey[],
): Promise<Map<string, Retention>> {
  if (documents.length === 0) return new Map();
  const rules = await readRules(
    reader,
    documents.map(({ organizationId }) => organizationId),
  );
  if (!rules) return new Map();
  const rows = await findRetentions(
    reader,
    rules,
    documents.map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.documentId, row]));
}

/** The ids of those documents that a retention policy keeps from being purged. */
export async function retainedAmong(reader: Reader, documents: readonly DocumentKey[]): Promise<Set<string>> {
  const retentions = await retentionsOf(reader, documents);
  return new Set(
    [...retentions.values()].filter(({ state }) => state !== 'ENDED').map((each) => each.documentId),
  );
}

/** What retention policies say of each document, null if none keeps it. The caller has checked that the viewer sees them. */
export async function findDocumentRetentions({ db }: Context, documents: readonly DocumentKey[]) {
  const retentions = await retentionsOf(db, documents);
  return documents.map(({ id }) => retentions.get(id) ?? null);
}
