import { sql } from '../../db/sql/sql.ts';
import { visibleFolders } from '../access/access.ts';
import { pagesOf } from '../file-text/file-text-pieces.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import type { Part } from './search-grammar.ts';
import { type Search, SUBJECT_TAGS } from './search-query.ts';
import { markLongText, markText, type Phrase } from './search-snippet.ts';
import { hasSomeTerm, phrasesOf } from './search-terms.ts';

/** A snippet of a text with words of the query. */
export interface Highlight {
  part: Part;
  /** The name of the field, for a value. */
  label: string | null;
  /** The page of a file's text, from 1; null for other parts, and for files without pages. */
  page: number | null;
  text: string;
  /** Start and end of each word in `text`, alternating, in UTF-16 code units. */
  matches: number[];
}

interface Source {
  id: string;
  part: Part;
  label: string | null;
  firstPage: number | null;
  text: string;
}

const MAX_COMMENTS = 100;
const MAX_HIGHLIGHTS = 10;

/** Finds snippets with the words of a search in objects that the viewer sees, at most MAX_HIGHLIGHTS for each. */
export async function findHighlights(
  ctx: Context,
  search: Search,
  ids: readonly string[],
): Promise<{ id: string; highlights: Highlight[] }[]> {
  const wordsToMark = wordsByPart(search);
  const byId = new Map(ids.map((id) => [id, { id, highlights: [] as Highlight[] }]));
  if (wordsToMark.length === 0) return [...byId.values()];
  const patterns = wordsToMark.flatMap(({ phrase }) => phrase.flat()).map(({ word }) => `%${word}%`);
  const statement = sql`${sources(ctx, ids, patterns)} UNION ALL ${texts(search, ids)}`;
  for (const source of await ctx.db.query<Source>(statement)) {
    const { highlights = [] } = byId.get(source.id) ?? {};
    const phrases = wordsToMark
      .filter(({ part }) => part === null || part === source.part)
      .map(({ phrase }) => phrase);
    if (highlights.length < MAX_HIGHLIGHTS)
      highlights.push(...marksOf(source, phrases).slice(0, MAX_HIGHLIGHTS - highlights.length));
  }
  return [...byId.values()];
}

function marksOf({ part, label, firstPage, text }: Source, phrases: readonly Phrase[]): Highlight[] {
  if (part !== 'TEXT') {
    const marked = markText(text, phrases.flat(2));
    return marked ? [{ part, label, page: null, ...marked }] : [];
  }
  return pagesOf({ firstPage: firstPage ?? 1, text }).flatMap(({ page, text }) => {
    const marked = markLongText(text, phrases);
    return marked ? [{ part, label, page: firstPage && page, ...marked }] : [];
  });
}

/** The words of each positive term, with their corrections, and its alternatives. */
const wordsByPart = ({ terms }: Search): { part: Part | null; phrase: Phrase }[] =>
  terms
    .filter(({ negated }) => !negated)
    .flatMap((term) =>
      phrasesOf(term).map(({ words, prefix }) => {
        const isLast = (index: number) => index === words.length - 1;
        const phrase = words.map((each, index) =>
          each.map((word) => ({ word, prefix: prefix && isLast(index) })),
        );
        return { part: term.part, phrase };
      }),
    );

/** The texts of these objects. Values of sensitive fields are left out, since clients mask them. */
const sources = ({ viewer }: Context, ids: readonly string[], patterns: string[]) => sql`
  WITH s AS (SELECT e.* FROM search_entries e
    WHERE e.subject_id = ANY(${ids}))
  SELECT s.subject_id AS id, 'NAME' AS part, NULL AS label, NULL::int AS first_page, coalesce(d.name, f.name, t.name, m.name) AS text FROM s
    LEFT JOIN documents d ON d.organization_id = s.organization_id AND d.id = s.subject_id
    LEFT JOIN ${tables.folders.from} ON f.organization_id = s.organization_id AND f.id = s.subject_id
    LEFT JOIN tasks t ON t.organization_id = s.organization_id AND t.id = s.subject_id
    LEFT JOIN form_templates m ON m.organization_id = s.organization_id AND m.id = s.subject_id
  UNION ALL SELECT s.subject_id, 'TAG', NULL, NULL, t.text FROM s
    JOIN ${SUBJECT_TAGS} x ON x.organization_id = s.organization_id AND x.subject_id = s.subject_id
    JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id
  UNION ALL SELECT s.subject_id, 'VALUE', c.name, NULL, v.text FROM s
    JOIN document_field_values v ON v.organization_id = s.organization_id AND v.document_id = s.subject_id
    JOIN fields c ON c.organization_id = v.organization_id AND c.id = v.field_id AND NOT c.sensitive
  UNION ALL SELECT s.subject_id, 'VALUE', NULL, NULL, t.description FROM s
    JOIN tasks t ON t.organization_id = s.organization_id AND t.id = s.subject_id
  UNION ALL SELECT s.subject_id, 'FOLDER', NULL, NULL, f.name FROM s
    JOIN folders h ON h.organization_id = s.organization_id AND h.id = s.folder_id
    JOIN ${tables.folders.from} ON f.organization_id = h.organization_id AND (f.id = h.id OR f.id = ANY(h.ancestor_ids))
    WHERE ${visibleFolders(viewer, tables.folders)}
  UNION ALL SELECT s.subject_id, 'COMMENT', NULL, NULL, t.text FROM s CROSS JOIN LATERAL (
    SELECT c.text FROM (SELECT e.sequence, e.data ->> 'text' AS text FROM events e
      WHERE e.organization_id = s.organization_id AND e.subject_id = s.subject_id
      AND (e.kind = 'document.commented' OR e.kind = 'task.commented')
      ORDER BY e.sequence DESC LIMIT ${MAX_COMMENTS}) c
    WHERE search_fold(c.text) LIKE ANY(${patterns}) ORDER BY c.sequence DESC LIMIT 3) t`;

const MAX_PIECES = 3;

/** The first pieces with words of the query in the newest content of these documents. */
const texts = (search: Search, ids: readonly string[]) => sql`
  SELECT d.id, 'TEXT', NULL, t.first_page, t.text FROM documents d
  JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
  CROSS JOIN LATERAL (SELECT x.first_page, x.text FROM ${tables.searchTexts.from}
    WHERE x.organization_id = r.organization_id AND x.blob_id = r.blob_id AND ${hasSomeTerm(tables.searchTexts, search)}
    ORDER BY x.number LIMIT ${MAX_PIECES}) t
  WHERE d.id ${sql.any(ids)}`;
