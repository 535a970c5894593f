import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requestPageCount } from '../documents/file-pages.ts';

const BATCH = 500;

/**
 * Entries that one transaction writes. They are locked meanwhile, and changes of their objects wait. The words of a text
 * beyond ASCII of 30,000 characters take 0.15 s, and more on a slow machine; a transaction may take 10 s.
 */
const PART = 10;

interface Row {
  id: string;
}

/** The last id, the size of the batch, and how many PDF files without a page count are inspected again. */
interface Progress {
  last: string;
  count: number;
  inspected: number;
}

/** In the order of ids, whose prefixes differ by table: so one id tells where to continue. */
const TABLES = ['blobs', 'documents', 'folders', 'form_templates', 'tasks'] as const;

/**
 * Rebuilds the search index during normal operation, reading BATCH ids at a time: rewrites entries, queues the texts of all
 * files to be read again, and deletes orphaned entries. Yields its progress; continues after the id `after`.
 */
export async function* reindex(db: Database, after = ''): AsyncGenerator<Progress> {
  for (const table of TABLES)
    for (let last = after, count = BATCH; count === BATCH; ) {
      const rows = await db.query<Row>(
        sql`SELECT id FROM ${sql.raw(table)} WHERE id > ${last} ORDER BY id LIMIT ${BATCH}`,
      );
      count = rows.length;
      last = rows.at(-1)?.id ?? last;
      if (count === 0) break;
      const ids = rows.map(({ id }) => id);
      const inspected = table === 'blobs' ? await requeueTexts(db, ids) : 0;
      if (table !== 'blobs') await refreshEntries(db, ids);
      yield { last, count, inspected };
    }
  await deleteOrphans(db);
}

/** Returns the number of PDF files whose pages will be counted again. */
const requeueTexts = (db: Database, ids: string[]): Promise<number> =>
  inTransaction(db, async (tx) => {
    await tx.query(sql`UPDATE blobs SET text_status = 'PENDING', text_step = 'READ', text_attempts = 0, text_next_at = now()
      WHERE id = ANY(${ids}) AND text_status <> 'PENDING'`);
    tx.wake('text');
    return requestPageCount(tx, ids);
  });

async function refreshEntries(db: Database, ids: string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += PART)
    await refreshPart(db, ids.slice(start, start + PART));
}

const refreshPart = (db: Database, ids: string[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    await tx.query(sql`SELECT 1 AS done FROM (SELECT search_refresh(${sql.texts(ids)})) x`);
    await tx.query(sql`SELECT 1 AS done FROM (SELECT search_refresh_comments(${sql.texts(ids)})) x`);
  });

async function deleteOrphans(db: Database): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: Row[] = await db.query<Row>(
      sql`SELECT subject_id AS id FROM search_entries WHERE subject_id > ${last}
        ORDER BY subject_id LIMIT ${BATCH}`,
    );
    last = rows.at(-1)?.id;
    await db.query(sql`DELETE FROM search_entries e WHERE e.subject_id = ANY(${rows.map(({ id }) => id)})
      AND NOT EXISTS (SELECT FROM search_sources s WHERE s.subject_id = e.subject_id)`);
  }
}
