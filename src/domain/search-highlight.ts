import { Prisma } from '../generated/prisma/client.ts';
import { visibleFolders } from './access.ts';
import type { Context } from './context.ts';
import type { Part } from './search-grammar.ts';
import { markText, type Wanted } from './search-mark.ts';
import type { Search } from './search-query.ts';
import { wordsOf } from './search-words.ts';

const { sql } = Prisma;

/** A piece of a text that has words of the query. */
export interface Highlight {
  part: Part;
  /** The name of the field, for a value. */
  label: string | null;
  text: string;
  /** Start and end of each such word in `text`, in UTF-16 code units, one after the other. */
  matches: number[];
}

interface Source {
  id: string;
  part: Part;
  label: string | null;
  text: string;
}

const MOST_COMMENTS = 100;
const MOST_HIGHLIGHTS = 10;

/** Where the words of a search stand in things that the viewer sees, at most ten pieces of each. */
export async function findHighlights(
  ctx: Context,
  search: Search,
  ids: readonly string[],
): Promise<{ id: string; highlights: Highlight[] }[]> {
  const wanted = wantedOf(search);
  const byId = new Map(ids.map((id) => [id, { id, highlights: [] as Highlight[] }]));
  if (wanted.length === 0) return [...byId.values()];
  const patterns = wanted.map(({ word }) => `%${word}%`);
  for (const { id, part, label, text } of await ctx.db.query<Source>(
    sources(ctx, search.organizationId, ids, patterns),
  )) {
    const marked = markText(
      text,
      wanted.filter((each) => each.part === null || each.part === part),
    );
    const { highlights = [] } = byId.get(id) ?? {};
    if (marked && highlights.length < MOST_HIGHLIGHTS) highlights.push({ part, label, ...marked });
  }
  return [...byId.values()];
}

/** Each word of the query, in every way it was read. */
const wantedOf = ({ terms }: Search): (Wanted & { part: Part | null })[] =>
  terms
    .filter(({ negated }) => !negated)
    .flatMap(({ text, readings, prefix, part }) => {
      const words = readings ?? wordsOf(text).map((word) => [word]);
      return words.flatMap((each, index) =>
        each.map((word) => ({ word, prefix: prefix && index === words.length - 1, part })),
      );
    });

/** The texts of these things. Values of sensitive fields stay out, for clients mask them. */
const sources = (
  { viewer }: Context,
  organizationId: string,
  ids: readonly string[],
  patterns: string[],
) => sql`
  WITH s AS (SELECT e.* FROM search_entries e
    WHERE e.organization_id = ${organizationId} AND e.subject_id = ANY(${ids}))
  SELECT s.subject_id AS id, 'NAME' AS part, NULL AS label, coalesce(d.name, f.name, t.name, m.name) AS text FROM s
    LEFT JOIN documents d ON d.organization_id = s.organization_id AND d.id = s.subject_id
    LEFT JOIN folders f ON f.organization_id = s.organization_id AND f.id = s.subject_id
    LEFT JOIN tasks t ON t.organization_id = s.organization_id AND t.id = s.subject_id
    LEFT JOIN form_templates m ON m.organization_id = s.organization_id AND m.id = s.subject_id
  UNION ALL SELECT s.subject_id, 'TAG', NULL, t.text FROM s
    JOIN document_tags x ON x.organization_id = s.organization_id AND x.document_id = s.subject_id
    JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id
  UNION ALL SELECT s.subject_id, 'VALUE', c.name, v.text FROM s
    JOIN document_field_values v ON v.organization_id = s.organization_id AND v.document_id = s.subject_id
    JOIN fields c ON c.organization_id = v.organization_id AND c.id = v.field_id AND NOT c.sensitive
  UNION ALL SELECT s.subject_id, 'VALUE', NULL, t.description FROM s
    JOIN tasks t ON t.organization_id = s.organization_id AND t.id = s.subject_id
  UNION ALL SELECT s.subject_id, 'FOLDER', NULL, f.name FROM s
    JOIN folders h ON h.organization_id = s.organization_id AND h.id = s.folder_id
    JOIN folders f ON f.organization_id = h.organization_id AND (f.id = h.id OR f.id = ANY(h.ancestor_ids))
    WHERE ${visibleFolders(viewer)}
  UNION ALL SELECT s.subject_id, 'COMMENT', NULL, said.text FROM s CROSS JOIN LATERAL (
    SELECT c.text FROM (SELECT e.sequence, e.data ->> 'text' AS text FROM events e
      WHERE e.organization_id = s.organization_id AND e.subject_id = s.subject_id
      AND (e.kind = 'document.commented' OR e.kind = 'task.commented')
      ORDER BY e.sequence DESC LIMIT ${MOST_COMMENTS}) c
    WHERE search_fold(c.text) LIKE ANY(${patterns}) ORDER BY c.sequence DESC LIMIT 3) said`;
