import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { RetentionAction } from '../../generated/prisma/client.ts';
import { tables } from '../kernel/tables.ts';
import type { RetentionCoverage, RetentionRule, RetentionRules } from './rule.ts';

/**
 * Why a document is kept: its time has not come, what the time is counted from has not happened, for ever, or a review has to
 * approve its disposal. ENDED: no policy keeps it any more.
 */
type RetentionState = 'KEPT' | 'WAITING' | 'FOREVER' | 'REVIEW' | 'ENDED';

/** What the policies say of a document: the one with the latest end decides. */
export interface Retention {
  documentId: string;
  organizationId: string;
  policyId: string;
  version: number;
  action: RetentionAction;
  state: RetentionState;
  /** From when the time is counted; null if that has not happened. */
  startedAt: Date | null;
  /** When the time ends or ended; null for WAITING and FOREVER. */
  until: Date | null;
  /** The run that approved the disposal, of a review. */
  reviewId: string | null;
}

/** A condition on documents. */
export type Documents = (documents: Rows<'documents'>) => Sql;

/** The members of rules and coverages that the statement reads, with their types. */
const RULE = {
  ...{ policyId: 'text', version: 'int', keepMonths: 'int', keepDays: 'int', startsFrom: 'text' },
  ...{ fieldId: 'text', action: 'text', reviewAgainMonths: 'int', locked: 'boolean' },
} as const satisfies Partial<Record<keyof RetentionRule, string>>;

const COVERAGE = {
  ...{ organizationId: 'text', policyId: 'text', scope: 'text', projectId: 'text' },
  ...{ folderId: 'text', fieldId: 'text', choiceKey: 'text' },
} as const satisfies Partial<Record<keyof RetentionCoverage, string>>;

/** Rows as records. Members are named, as rows of the pipelined reader have them as getters. */
const records = (rows: readonly object[], columns: Record<string, string>): Sql =>
  sql`jsonb_to_recordset(${JSON.stringify(rows, Object.keys(columns))}::jsonb)`;

const declared = (columns: Record<string, string>): Sql =>
  sql.raw(
    Object.entries(columns)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', '),
  );

/** The moment from which a rule `y` counts for a document `d`, or null. A date without a time is its first moment in UTC. */
const STARTED_AT = sql`CASE y."startsFrom" WHEN 'CREATED' THEN d.created_at
  WHEN 'LAST_REVISION' THEN (SELECT max(v.created_at) FROM revisions v
    WHERE v.organization_id = d.organization_id AND v.document_id = d.id)
  WHEN 'SEALED' THEN d.signed_at
  WHEN 'APPROVED' THEN (SELECT max(v.completed_at) FROM process_runs v
    JOIN processes z ON z.organization_id = v.organization_id AND z.id = v.process_id AND z.retention_policy_id IS NULL
    WHERE v.organization_id = d.organization_id AND v.document_id = d.id AND v.state = 'APPROVED')
  WHEN 'PROJECT_CLOSED' THEN (SELECT coalesce(v.disabled_at, v.purge_marked_at) FROM projects v
    WHERE v.organization_id = d.organization_id AND v.id = d.project_id)
  ELSE (SELECT max(v.date) FROM document_field_values v WHERE v.organization_id = d.organization_id
    AND v.document_id = d.id AND v.field_id = y."fieldId") END`;

/** The coverage `z` includes the document `d`. */
const COVERS = sql`z."organizationId" = d.organization_id AND CASE z.scope WHEN 'ORGANIZATION' THEN true
  WHEN 'PROJECT' THEN z."projectId" = d.project_id
  WHEN 'FOLDER' THEN z."projectId" = d.project_id AND (z."folderId" = d.folder_id OR z."folderId" = ANY(
    (SELECT v.ancestor_ids FROM folders v WHERE v.organization_id = d.organization_id AND v.id = d.folder_id)::text[]))
  ELSE z."projectId" = d.project_id AND EXISTS (SELECT FROM document_field_values v WHERE v.organization_id = d.organization_id
    AND v.document_id = d.id AND v.field_id = z."fieldId" AND v.text_key = z."choiceKey") END`;

/** In UTC, whatever the time zone of the session is: a day of a change of clocks has 24 hours. */
const plus = (from: Sql, interval: Sql): Sql =>
  sql`((${from} AT TIME ZONE 'UTC' + ${interval}) AT TIME ZONE 'UTC')`;

/**
 * The policies that keep documents, each with its time: a statement. `which`: the condition on the documents.
 * Columns: `id`, `organization_id`, `policy_id`, `version`, `action`, `locked`, `starts_from`, `started_at`, `until` (infinity: no end), `review_id`, `reviewing`.
 */
export const everyRetention = ({ rules, coverages }: RetentionRules, which: Documents): Sql => sql`
  SELECT d.id, d.organization_id, y."policyId" AS policy_id, y.version, y.action, y.locked, y."startsFrom" AS starts_from,
    y."keepMonths" IS NULL AND y."keepDays" IS NULL AS forever, b.started_at,
    greatest(e.until, CASE WHEN w.state IN ('DENIED', 'DECLINED')
      THEN ${plus(sql`w.completed_at`, sql`make_interval(months => y."reviewAgainMonths")`)} END) AS until,
    CASE WHEN w.state = 'APPROVED' AND w.created_at >= e.until THEN w.id END AS review_id
  FROM ${tables.documents.from}
  CROSS JOIN LATERAL (
    SELECT q.policy_id, max(q.until) AS until FROM (
      SELECT z."policyId" AS policy_id, NULL::timestamptz AS until
        FROM ${records(coverages, COVERAGE)} AS z(${declared(COVERAGE)}) WHERE ${COVERS}
      UNION ALL SELECT v.policy_id, v.until FROM retained_documents v
        WHERE v.organization_id = d.organization_id AND v.document_id = d.id) q
    GROUP BY q.policy_id) c
  JOIN ${records(rules, RULE)} AS y(${declared(RULE)}) ON y."policyId" = c.policy_id
  CROSS JOIN LATERAL (SELECT ${STARTED_AT} AS started_at) b
  CROSS JOIN LATERAL (SELECT greatest(c.until, CASE WHEN b.started_at IS NULL OR (y."keepMonths" IS NULL AND y."keepDays" IS NULL)
    THEN 'infinity'::timestamptz
    ELSE ${plus(sql`b.started_at`, sql`make_interval(months => coalesce(y."keepMonths", 0), days => coalesce(y."keepDays", 0))`)} END) AS until) e
  LEFT JOIN LATERAL (SELECT v.id, v.state, v.created_at, v.completed_at FROM process_runs v
    JOIN processes z ON z.organization_id = v.organization_id AND z.id = v.process_id AND z.retention_policy_id = y."policyId"
    WHERE y.action = 'REVIEW' AND v.organization_id = d.organization_id AND v.document_id = d.id
    ORDER BY v.created_at DESC, v.id DESC LIMIT 1) w ON true
  WHERE ${which(tables.documents)}`;

/** The order of policies that end at the same time: the one that destroys least decides. */
const CAUTION = sql`CASE k.action WHEN 'REVIEW' THEN 0 WHEN 'NOTHING' THEN 1 ELSE 2 END`;

/** What is said of documents that any policy keeps or kept, as rows of Retention. `at`: as of which moment. */
export const retentions = (rules: RetentionRules, which: Documents, at: Sql): Sql => sql`
  SELECT DISTINCT ON (k.id) k.id AS document_id, k.organization_id, k.policy_id, k.version, k.action,
    CASE WHEN k.until = 'infinity' THEN CASE WHEN k.forever THEN 'FOREVER' ELSE 'WAITING' END
      WHEN k.until > ${at} THEN 'KEPT'
      WHEN k.action = 'REVIEW' AND k.review_id IS NULL THEN 'REVIEW'
      ELSE 'ENDED' END AS state,
    k.started_at, nullif(k.until, 'infinity') AS until, k.review_id
  FROM (${everyRetention(rules, which)}) k
  ORDER BY k.id, k.until DESC, ${CAUTION}, k.policy_id`;

/** What is said of these documents now; those that no policy keeps are left out. */
export const findRetentions = (
  reader: Reader,
  rules: RetentionRules,
  documentIds: readonly string[],
): Promise<Retention[]> =>
  reader.query<Retention>(
    retentions(rules, (documents) => sql`${documents}.id ${sql.any(documentIds)}`, sql`now()`),
  );
