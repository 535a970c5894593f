import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';

const BATCH = 500;

interface Word {
  organizationId: string;
  word: string;
}

/**
 * Deletes words that no entry contains any more, such as those of purged documents; returns their number. A word written at
 * the same moment may be lost too: then its misspellings are not corrected until it is written again.
 */
export async function deleteUnusedWords(db: Database): Promise<number> {
  let total = 0;
  for (let last: Word | undefined = { organizationId: '', word: '' }; last; ) {
    const words: Word[] = await db.query<Word>(sql`
      SELECT DISTINCT organization_id, word FROM search_vocabulary
      WHERE (organization_id, word) > (${last.organizationId}, ${last.word})
      ORDER BY organization_id, word LIMIT ${BATCH}`);
    total += (await db.query(unused(words))).length;
    last = words.at(-1);
  }
  return total;
}

const unused = (words: Word[]) => sql`
  DELETE FROM search_vocabulary v
  USING unnest(${sql.texts(words.map((each) => each.organizationId))}, ${sql.texts(words.map(({ word }) => word))})
    AS w(organization_id, word)
  WHERE v.organization_id = w.organization_id AND v.word = w.word AND NOT EXISTS (
    SELECT FROM search_entries e WHERE e.organization_id = w.organization_id
    AND e.vector @@ ('''' || right(w.organization_id, 6) || w.word || '''')::tsquery OFFSET 0)
  RETURNING v.word`;
