import { type Sql, sql } from '../../db/sql/sql.ts';
import { NO_SEMI_JOIN, visibleFolders } from '../access/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/**
 * Where the words of a term, a row `q` of termRows, may stand: in what a thing says itself, in the text of its file, or in the
 * name of a folder that it is in. Each way is a condition on an entry `e`, and a statement of the ids of all such things, each
 * once, which goes through indexes whatever the words: the planner does not see these.
 */

const IN_OWN_TEXT = sql`e.vector @@ q.own`;

const IDS_BY_OWN_TEXT = sql`SELECT e.subject_id FROM (SELECT e.* FROM search_entries e WHERE ${IN_OWN_TEXT} OFFSET 0) e
  WHERE e.organization_id = k.organization_id`;

/** The text of the newest file of a document. */
const IN_FILE = sql`(e.kind = 'DOCUMENT' AND numnode(q.text) > 0 AND EXISTS (SELECT FROM documents d
  JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
  JOIN search_texts x ON x.organization_id = r.organization_id AND x.blob_id = r.blob_id
  WHERE d.organization_id = e.organization_id AND d.id = e.subject_id AND x.vector @@ q.text ${NO_SEMI_JOIN}))`;

/** Of the pieces of a long text the first that has the words counts. */
const IDS_BY_FILE = sql`SELECT d.id FROM (SELECT x.* FROM search_texts x WHERE x.vector @@ q.text OFFSET 0) x
  CROSS JOIN LATERAL (SELECT r.document_id, r.number FROM revisions r
    WHERE r.organization_id = x.organization_id AND r.blob_id = x.blob_id OFFSET 0) r
  CROSS JOIN LATERAL (SELECT d.id FROM documents d
    WHERE d.organization_id = x.organization_id AND d.id = r.document_id AND d.revision_number = r.number OFFSET 0) d
  WHERE x.organization_id = k.organization_id AND (x.number = 0 OR NOT EXISTS (SELECT FROM search_texts y
    WHERE y.organization_id = x.organization_id AND y.blob_id = x.blob_id AND y.number < x.number
    AND y.vector @@ q.text ${NO_SEMI_JOIN}))`;

/** How many things are few enough to look into each. */
export const FEW = 5_000;

/** These rows are few: a condition. */
export const areFew = (rows: Sql): Sql => sql`(SELECT count(*) FROM (
  SELECT FROM ${rows} LIMIT ${sql.raw(String(FEW + 1))}) few) <= ${sql.raw(String(FEW))}`;

/** Few pieces of text have the words of `q`: what files these are of need not be looked up to tell. */
export const HAS_FEW_PIECES = areFew(sql`search_texts x WHERE x.vector @@ q.text`);

/** The words of a search in a statement: its terms, and the folders named so; rows to select from. */
export interface TermTables {
  terms: Sql;
  folders: Sql;
}

/** The folders that have words of a term in their names, as `place` and `id`. One that the viewer does not see says nothing. */
export const matchingFolders = (viewer: Viewer, organizationId: string, terms: Sql): Sql => sql`
  SELECT q.place, f.id FROM ${terms} q
  CROSS JOIN LATERAL (SELECT n.* FROM search_entries n WHERE n.kind = 'FOLDER' AND n.vector @@ q.folder OFFSET 0) n
  CROSS JOIN LATERAL (SELECT f.id FROM folders f WHERE f.organization_id = n.organization_id AND f.id = n.subject_id
    AND ${visibleFolders(viewer)} IS TRUE OFFSET 0) f
  WHERE n.organization_id = ${organizationId}`;

const inFolder = ({ folders }: TermTables): Sql => sql`(numnode(q.folder) > 0 AND EXISTS (
  SELECT FROM folders b CROSS JOIN LATERAL unnest(b.id || b.ancestor_ids) a(id)
  WHERE b.organization_id = e.organization_id AND b.id = e.folder_id
  AND ((q.place, a.id) IN (SELECT n.place, n.id FROM ${folders} n)) IS TRUE ${NO_SEMI_JOIN}))`;

const idsByFolder = ({ folders }: TermTables): Sql => sql`
  SELECT i.subject_id FROM (SELECT DISTINCT b.id
    FROM ${folders} n CROSS JOIN LATERAL (SELECT b.id FROM folders b WHERE b.organization_id = k.organization_id
      AND (b.id = n.id OR b.ancestor_ids @> ARRAY[n.id]) OFFSET 0) b
    WHERE n.place = q.place) b
  CROSS JOIN LATERAL (SELECT i.subject_id FROM search_entries i
    WHERE i.organization_id = k.organization_id AND i.folder_id = b.id OFFSET 0) i`;

/** A condition on entries `e`: they have the words of all terms, and of none that is negated. `some` narrows the terms. */
export const hasTerms = (words: TermTables, some = sql`true`): Sql => sql`NOT EXISTS (
  SELECT FROM ${words.terms} q WHERE ${some} AND q.negated = (${IN_OWN_TEXT} OR ${IN_FILE} OR ${inFolder(words)}) ${NO_SEMI_JOIN})`;

/** The ids of what has the words of the term `q`, in whatever way: some of them more than once. */
export const idsOfTerm = (words: TermTables): Sql =>
  sql`${IDS_BY_OWN_TEXT} UNION ALL ${IDS_BY_FILE} UNION ALL ${idsByFolder(words)}`;

/** Things around which words of a term stand: id, the term's place, and the way, which is 0 for files. */
export const contextIds = (words: TermTables): Sql => sql`
  SELECT a.id, q.place, a.way FROM ${words.terms} q CROSS JOIN LATERAL (
    SELECT f.id, 0 FROM (${IDS_BY_FILE}) f(id) UNION ALL SELECT f.id, 1 FROM (${idsByFolder(words)}) f(id)) a(id, way)
  WHERE NOT q.negated`;

/** A condition on an entry `e` of `s`, a row of idsAround: no other row of it comes before. */
export const isFirstContext = (words: TermTables): Sql => sql`NOT EXISTS (SELECT FROM ${words.terms} q
  WHERE NOT q.negated AND q.place <= s.place AND (q.place < s.place OR s.way = 1)
  AND (${IN_FILE} OR (q.place < s.place AND ${inFolder(words)})) ${NO_SEMI_JOIN})`;
