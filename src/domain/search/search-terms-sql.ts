import { type Sql, sql } from '../../db/sql/sql.ts';
import { Rows } from '../../db/sql/table.ts';
import { NO_SEMI_JOIN, visibleFolders } from '../access/access.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

type Entries = Rows<'search_entries'>;

/** The rows of termRows, wherever a statement has them. */
export const TERMS = new Rows('terms', 'q');

/** The rows of contextIds. */
export const CONTEXTS = new Rows('contexts', 's');

/**
 * A term matches in the object's own text, in the text of its file, or in the name of a folder above it. For each there is a
 * condition on an entry, and a statement of all matching ids that always uses an index: the planner does not know the words.
 */

const inOwnText = (entries: Entries): Sql => sql`${entries}.vector @@ ${TERMS}.own`;

const IDS_BY_OWN_TEXT = sql`SELECT e.subject_id FROM (SELECT e.* FROM ${tables.searchEntries.from} WHERE ${inOwnText(tables.searchEntries)} OFFSET 0) e
  WHERE e.organization_id = k.organization_id`;

/** In the text of the newest revision of a document. */
const inFile = (
  entries: Entries,
): Sql => sql`(${entries}.kind = 'DOCUMENT' AND numnode(${TERMS}.text) > 0 AND EXISTS (SELECT FROM documents d
  JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
  JOIN search_texts x ON x.organization_id = r.organization_id AND x.blob_id = r.blob_id
  WHERE d.organization_id = ${entries}.organization_id AND d.id = ${entries}.subject_id AND x.vector @@ ${TERMS}.text ${NO_SEMI_JOIN}))`;

/** By the first matching piece of a long text, so that a document appears once. */
const IDS_BY_FILE = sql`SELECT d.id FROM (SELECT x.* FROM search_texts x WHERE x.vector @@ ${TERMS}.text OFFSET 0) x
  CROSS JOIN LATERAL (SELECT r.document_id, r.number FROM revisions r
    WHERE r.organization_id = x.organization_id AND r.blob_id = x.blob_id OFFSET 0) r
  CROSS JOIN LATERAL (SELECT d.id FROM documents d
    WHERE d.organization_id = x.organization_id AND d.id = r.document_id AND d.revision_number = r.number OFFSET 0) d
  WHERE x.organization_id = k.organization_id AND (x.number = 0 OR NOT EXISTS (SELECT FROM search_texts y
    WHERE y.organization_id = x.organization_id AND y.blob_id = x.blob_id AND y.number < x.number
    AND y.vector @@ ${TERMS}.text ${NO_SEMI_JOIN}))`;

/** Up to this number, ids are checked one by one. */
export const FEW = 5_000;

/** A condition: there are at most FEW of these rows. */
export const areFew = (rows: Sql): Sql => sql`(SELECT count(*) FROM (
  SELECT FROM ${rows} LIMIT ${sql.raw(String(FEW + 1))}) few) <= ${sql.raw(String(FEW))}`;

/** Few pieces of file text match the term; counted without looking up their documents. */
export const HAS_FEW_PIECES = areFew(sql`search_texts x WHERE x.vector @@ ${TERMS}.text`);

/** FROM items of a statement: the terms of a search, and the folders whose names match them. */
export interface TermTables {
  terms: Sql;
  folders: Sql;
}

/** The visible folders whose names match a term, as `position` of the term and `id`. */
export const matchingFolders = (viewer: Viewer, organizationId: string, terms: Sql): Sql => sql`
  SELECT ${TERMS}.position, f.id FROM ${terms} ${TERMS}
  CROSS JOIN LATERAL (SELECT n.* FROM search_entries n WHERE n.kind = 'FOLDER' AND n.vector @@ ${TERMS}.folder OFFSET 0) n
  CROSS JOIN LATERAL (SELECT f.id FROM ${tables.folders.from} WHERE f.organization_id = n.organization_id AND f.id = n.subject_id
    AND ${visibleFolders(viewer, tables.folders)} IS TRUE OFFSET 0) f
  WHERE n.organization_id = ${organizationId}`;

const inFolder = (
  { folders }: TermTables,
  entries: Entries,
): Sql => sql`(numnode(${TERMS}.folder) > 0 AND EXISTS (
  SELECT FROM folders b CROSS JOIN LATERAL unnest(b.id || b.ancestor_ids) a(id)
  WHERE b.organization_id = ${entries}.organization_id AND b.id = ${entries}.folder_id
  AND ((${TERMS}.position, a.id) IN (SELECT n.position, n.id FROM ${folders} n)) IS TRUE ${NO_SEMI_JOIN}))`;

const idsByFolder = ({ folders }: TermTables): Sql => sql`
  SELECT i.subject_id FROM (SELECT DISTINCT b.id
    FROM ${folders} n CROSS JOIN LATERAL (SELECT b.id FROM folders b WHERE b.organization_id = k.organization_id
      AND (b.id = n.id OR b.ancestor_ids @> ARRAY[n.id]) OFFSET 0) b
    WHERE n.position = ${TERMS}.position) b
  CROSS JOIN LATERAL (SELECT i.subject_id FROM search_entries i
    WHERE i.organization_id = k.organization_id AND i.folder_id = b.id OFFSET 0) i`;

/** On entries: they match all positive terms and no negated one. `some` restricts the terms. */
export const hasTerms = (words: TermTables, entries: Entries, some = sql`true`): Sql => sql`NOT EXISTS (
  SELECT FROM ${words.terms} ${TERMS} WHERE ${some} AND ${TERMS}.negated = (${inOwnText(entries)} OR ${inFile(entries)} OR ${inFolder(words, entries)}) ${NO_SEMI_JOIN})`;

/** The ids of all matches of the term, with duplicates. */
export const idsOfTerm = (words: TermTables): Sql =>
  sql`${IDS_BY_OWN_TEXT} UNION ALL ${IDS_BY_FILE} UNION ALL ${idsByFolder(words)}`;

/** Matches by context: id, `position` of the term, and `source`, 0 for the file's text and 1 for a folder. */
export const contextIds = (words: TermTables): Sql => sql`
  SELECT a.id, ${TERMS}.position, a.source FROM ${words.terms} ${TERMS} CROSS JOIN LATERAL (
    SELECT f.id, 0 FROM (${IDS_BY_FILE}) f(id) UNION ALL SELECT f.id, 1 FROM (${idsByFolder(words)}) f(id)) a(id, source)
  WHERE NOT ${TERMS}.negated`;

/** On an entry of a row of contextIds: the first row of this entry, so that it appears once. */
export const isFirstContext = (
  words: TermTables,
  entries: Entries,
): Sql => sql`NOT EXISTS (SELECT FROM ${words.terms} ${TERMS}
  WHERE NOT ${TERMS}.negated AND ${TERMS}.position <= ${CONTEXTS}.position AND (${TERMS}.position < ${CONTEXTS}.position OR ${CONTEXTS}.source = 1)
  AND (${inFile(entries)} OR (${TERMS}.position < ${CONTEXTS}.position AND ${inFolder(words, entries)})) ${NO_SEMI_JOIN})`;
