import { z } from 'zod';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { parseDayOrTime } from '../../lib/calendar-time.ts';
import { isStorable, STORABLE } from '../../lib/text/storable.ts';
import { NO_SEMI_JOIN, visibleFolders } from '../access/access.ts';
import { badInput } from '../kernel/errors.ts';
import { normalizedKey, parse, text } from '../kernel/input.ts';
import { mayRead, type Scope } from '../kernel/scope.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Alternative, alternativesOf } from './search-alternatives.ts';
import { type Clause, parseQuery } from './search-grammar.ts';
import { wordsOf } from './search-words.ts';

export const KINDS = ['DOCUMENT', 'FOLDER', 'TASK', 'FORM'] as const;
export const STATES = ['ACTIVE', 'RECYCLED', 'OPEN', 'COMPLETED', 'DENIED', 'PRIVATE', 'SHARED'] as const;
export const OPERATORS = ['EQUALS', 'STARTS_WITH', 'AT_LEAST', 'AT_MOST'] as const;

const ids = z.array(z.string()).max(100);

/** Whether a value looks like a date, is none, and is to be compared with dates. */
const comparesWithNoDate = ({ operator, value }: { operator?: string | null | undefined; value: string }) =>
  (operator === 'AT_LEAST' || operator === 'AT_MOST') &&
  /^\s*\d{4}-\d\d-\d\d/.test(value) &&
  parseDayOrTime(value.trim()) === undefined;

/** The input of a search; all members that are present must match. */
export const searchFilter = z.strictObject({
  query: text(1_000).refine(isStorable, `must be ${STORABLE}`).nullish(),
  kind: z.enum(KINDS).nullish(),
  /** Defaults to all but RECYCLED. */
  states: z.array(z.enum(STATES)).min(1).max(STATES.length).nullish(),
  projectIds: ids.nullish(),
  folderId: z.string().nullish(),
  belowFolderId: z.string().nullish(),
  tags: z.array(z.string()).max(100).nullish(),
  createdById: z.string().nullish(),
  createdAfter: z.coerce.date().nullish(),
  createdBefore: z.coerce.date().nullish(),
  modifiedAfter: z.coerce.date().nullish(),
  modifiedBefore: z.coerce.date().nullish(),
  fields: z
    .array(
      z
        .strictObject({ fieldId: z.string(), operator: z.enum(OPERATORS).nullish(), value: text(10_000) })
        .refine((condition) => !comparesWithNoDate(condition), {
          path: ['value'],
          error: 'must be a date that exists, such as 2026-01-31',
        }),
    )
    .max(20)
    .nullish(),
});

export type SearchFilter = z.input<typeof searchFilter>;
export type SearchKind = (typeof KINDS)[number];

/** A clause with at least one word, and how else it may be written; `readings` are the corrections of each word. */
export type Term = Clause & { alternatives: Alternative[]; readings?: string[][] };

/** A parsed search. Words of the index begin with the end of the organization's id. */
export interface Search extends Omit<z.output<typeof searchFilter>, 'query'> {
  organizationId: string;
  terms: Term[];
  /** The query is not empty but has no words, so nothing matches. */
  wordless: boolean;
}

const MAX_TERMS = 32;

/** Parses a search. Throws BAD_USER_INPUT for invalid filters and for more than MAX_TERMS terms. */
export function readSearch(organizationId: string, filter: SearchFilter): Search {
  const { query, ...rest } = parse(searchFilter, filter, 'filter');
  const clauses = parseQuery(query ?? '').filter((clause) => wordsOf(clause.text).length > 0);
  if (clauses.length > MAX_TERMS)
    throw badInput(`query: at most ${MAX_TERMS} words and phrases`, 'filter.query');
  const alternatives = alternativesOf(clauses);
  const terms = clauses.map((clause, index) => ({ ...clause, alternatives: alternatives[index] ?? [] }));
  return { ...rest, organizationId, terms, wordless: terms.length === 0 && (query ?? '').trim() !== '' };
}

/** Whether the search has words to rank by. */
export const isRanked = ({ terms }: Search): boolean => terms.some(({ negated }) => !negated);

type Entries = Rows<'search_entries'>;

/** FROM item: the tags of documents and of tasks. */
export const SUBJECT_TAGS: Sql = sql`(SELECT d.organization_id, d.document_id AS subject_id, d.tag_id FROM document_tags d
  UNION ALL SELECT t.organization_id, t.task_id, t.tag_id FROM task_tags t)`;

const hasTag = (entries: Entries, tag: string): Sql => sql`EXISTS (SELECT FROM ${SUBJECT_TAGS} x
  JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id
  WHERE x.organization_id = ${entries}.organization_id AND x.subject_id = ${entries}.subject_id AND t.text_key = ${normalizedKey(tag)} ${NO_SEMI_JOIN})`;

/** What it takes to find objects of a kind. */
const KIND_SCOPES: Record<SearchKind, Scope> = {
  DOCUMENT: 'documents:read',
  FOLDER: 'documents:read',
  TASK: 'tasks:read',
  FORM: 'forms:read',
};

/** Only of kinds that the credential may read; undefined if it may read all. */
function ofReadableKind({ scopes }: Viewer, entries: Entries): Sql | undefined {
  const kinds = KINDS.filter((kind) => mayRead(scopes, KIND_SCOPES[kind]));
  return kinds.length < KINDS.length ? sql`${entries}.kind = ANY(${kinds})` : undefined;
}

/** On search entries: the conditions of the filter, without the words. */
export function matchesFilter(viewer: Viewer, entries: Entries, filter: Search): Sql {
  const { folderId, belowFolderId, projectIds, states } = filter;
  const visible = visibleFolders(viewer, tables.folders);
  return sql.all([
    states ? sql`${entries}.state = ANY(${states})` : sql`${entries}.state <> 'RECYCLED'`,
    filter.kind && sql`${entries}.kind = ${filter.kind}`,
    ofReadableKind(viewer, entries),
    projectIds && sql`${entries}.project_id = ANY(${projectIds})`,
    folderId &&
      sql`${entries}.folder_id = (SELECT f.id FROM ${tables.folders.from} WHERE f.id = ${folderId} AND ${visible})`,
    belowFolderId &&
      sql`${entries}.folder_id = ANY(ARRAY(SELECT b.id FROM ${tables.folders.from} JOIN folders b ON b.organization_id = f.organization_id
        AND (b.id = f.id OR b.ancestor_ids @> ARRAY[f.id]) WHERE f.id = ${belowFolderId} AND ${visible}))`,
    ...(filter.tags ?? []).map((tag) => hasTag(entries, tag)),
    filter.createdById && sql`${entries}.created_by_id = ${filter.createdById}`,
    filter.createdAfter && sql`${entries}.created_at >= ${filter.createdAfter}`,
    filter.createdBefore && sql`${entries}.created_at < ${filter.createdBefore}`,
    filter.modifiedAfter && sql`${entries}.modified_at >= ${filter.modifiedAfter}`,
    filter.modifiedBefore && sql`${entries}.modified_at < ${filter.modifiedBefore}`,
    ...(filter.fields ?? []).map(
      (
        each,
      ) => sql`EXISTS (SELECT FROM document_field_values v WHERE v.organization_id = ${entries}.organization_id
        AND v.document_id = ${entries}.subject_id AND v.field_id = ${each.fieldId} AND (${sql.join(valueConditions(each, sql`v`), ' OR ')}) ${NO_SEMI_JOIN})`,
    ),
  ]);
}

export type FieldCondition = NonNullable<Search['fields']>[number];

const NUMBER = /^\s*[+-]?\d{1,30}(?:\.\d{1,30})?\s*$/;

/**
 * Conditions on field values of this alias, of which exactly one holds for a matching value; each has an index. Numbers
 * and dates are compared by their typed columns.
 */
export function valueConditions({ operator, value }: FieldCondition, row: Sql): Sql[] {
  const number = NUMBER.test(value) ? value.trim() : null;
  const date = parseDayOrTime(value.trim()) ?? null;
  const typed = (compare: Sql) => [
    sql`${row}.number ${compare} ${number}::numeric`,
    sql`${row}.date ${compare} ${date}::timestamptz`,
  ];
  const key = normalizedKey(value);
  switch (operator ?? 'EQUALS') {
    case 'STARTS_WITH':
      return [startsWith(sql`${row}.text_key`, key)];
    case 'AT_LEAST':
      return typed(sql`>=`);
    case 'AT_MOST':
      return typed(sql`<=`);
    default:
      return [
        sql`${row}.text_key = ${key}`,
        ...typed(sql`=`).map((fits) => sql`${fits} AND ${row}.text_key <> ${key}`),
      ];
  }
}
