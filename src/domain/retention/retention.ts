import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { RetentionAction } from '../../generated/prisma/client.ts';
import type { RetentionRules } from './rule.ts';

/**
 * Why a document is kept: its time has not come, what the time is counted from has not happened, for ever, or a review has to
 * approve its disposal. ENDED: no policy keeps it any more.
 */
export type RetentionState = 'KEPT' | 'WAITING' | 'FOREVER' | 'REVIEW' | 'ENDED';

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

const RULE_COLUMNS = sql`"organizationId" text, "policyId" text, version int, "keepMonths" int, "keepDays" int, "startsFrom" text,
  "fieldId" text, action text, "reviewAgainMonths" int, locked boolean`;

const COVERAGE_COLUMNS = sql`"organizationId" text, "policyId" text, scope text, "projectId" text, "folderId" text, "fieldId" text,
  "choiceKey" text`;

/** The moment from which a rule `y` counts for a document `doc`, or null. A date without a time is its first moment in UTC. */
const STARTED_AT = sql`CASE y."startsFrom" WHEN 'CREATED' THEN doc.created_at
  WHEN 'LAST_REVISION' THEN (SELECT max(v.created_at) FROM revisions v
    WHERE v.organization_id = doc.organization_id AND v.document_id = doc.id)
  WHEN 'SEALED' THEN doc.signed_at
  WHEN 'APPROVED' THEN (SELECT max(v.completed_at) FROM process_runs v
    JOIN processes z ON z.organization_id = v.organization_id AND z.id = v.process_id AND z.retention_policy_id IS NULL
    WHERE v.organization_id = doc.organization_id AND v.document_id = doc.id AND v.state = 'APPROVED')
  WHEN 'PROJECT_CLOSED' THEN (SELECT coalesce(v.disabled_at, v.purge_marked_at) FROM projects v
    WHERE v.organization_id = doc.organization_id AND v.id = doc.project_id)
  ELSE (SELECT max(v.date) FROM document_field_values v WHERE v.organization_id = doc.organization_id
    AND v.document_id = doc.id AND v.field_id = y."fieldId") END`;

/** The coverage `z` includes the document `doc`. */
const COVERS = sql`z."organizationId" = doc.organization_id AND CASE z.scope WHEN 'ORGANIZATION' THEN true
  WHEN 'PROJECT' THEN z."projectId" = doc.project_id
  WHEN 'FOLDER' THEN z."projectId" = doc.project_id AND (z."folderId" = doc.folder_id OR z."folderId" = ANY(
    (SELECT v.ancestor_ids FROM folders v WHERE v.organization_id = doc.organization_id AND v.id = doc.folder_id)::text[]))
  ELSE z."projectId" = doc.project_id AND EXISTS (SELECT FROM document_field_values v WHERE v.organization_id = doc.organization_id
    AND v.document_id = doc.id AND v.field_id = z."fieldId" AND v.text_key = z."choiceKey") END`;

/** In UTC, whatever the time zone of the session is: a day of a change of clocks has 24 hours. */
const plus = (from: Sql, interval: Sql): Sql =>
  sql`((${from} AT TIME ZONE 'UTC' + ${interval}) AT TIME ZONE 'UTC')`;

/**
 * The policies that keep documents, each with its time: a statement. `documents`: the condition on documents of alias `doc`.
 * Columns: `id`, `organization_id`, `policy_id`, `version`, `action`, `locked`, `starts_from`, `started_at`, `until` (infinity: no end), `review_id`, `reviewing`.
 */
export const everyRetention = ({ rules, coverages }: RetentionRules, documents: Sql): Sql => sql`
  SELECT doc.id, doc.organization_id, y."policyId" AS policy_id, y.version, y.action, y.locked, y."startsFrom" AS starts_from,
    y."keepMonths" IS NULL AND y."keepDays" IS NULL AS forever, b.started_at,
    greatest(e.until, CASE WHEN w.state IN ('DENIED', 'DECLINED')
      THEN ${plus(sql`w.completed_at`, sql`make_interval(months => y."reviewAgainMonths")`)} END) AS until,
    CASE WHEN w.state = 'APPROVED' AND w.created_at >= e.until THEN w.id END AS review_id
  FROM documents doc
  CROSS JOIN LATERAL (
    SELECT q.policy_id, max(q.until) AS until FROM (
      SELECT z."policyId" AS policy_id, NULL::timestamptz AS until
        FROM jsonb_to_recordset(${JSON.stringify(coverages)}::jsonb) AS z(${COVERAGE_COLUMNS}) WHERE ${COVERS}
      UNION ALL SELECT v.policy_id, v.until FROM retained_documents v
        WHERE v.organization_id = doc.organization_id AND v.document_id = doc.id) q
    GROUP BY q.policy_id) c
  JOIN jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) AS y(${RULE_COLUMNS}) ON y."policyId" = c.policy_id
  CROSS JOIN LATERAL (SELECT ${STARTED_AT} AS started_at) b
  CROSS JOIN LATERAL (SELECT greatest(c.until, CASE WHEN b.started_at IS NULL OR (y."keepMonths" IS NULL AND y."keepDays" IS NULL)
    THEN 'infinity'::timestamptz
    ELSE ${plus(sql`b.started_at`, sql`make_interval(months => coalesce(y."keepMonths", 0), days => coalesce(y."keepDays", 0))`)} END) AS until) e
  LEFT JOIN LATERAL (SELECT v.id, v.state, v.created_at, v.completed_at FROM process_runs v
    JOIN processes z ON z.organization_id = v.organization_id AND z.id = v.process_id AND z.retention_policy_id = y."policyId"
    WHERE y.action = 'REVIEW' AND v.organization_id = doc.organization_id AND v.document_id = doc.id
    ORDER BY v.created_at DESC, v.id DESC LIMIT 1) w ON true
  WHERE ${documents}`;

/** The order of policies that end at the same time: the one that destroys least decides. */
const CAUTION = sql`CASE k.action WHEN 'REVIEW' THEN 0 WHEN 'NOTHING' THEN 1 ELSE 2 END`;

/** What is said of documents that any policy keeps or kept, as rows of Retention. `at`: as of which moment. */
export const retentions = (rules: RetentionRules, documents: Sql, at: Sql): Sql => sql`
  SELECT DISTINCT ON (k.id) k.id AS document_id, k.organization_id, k.policy_id, k.version, k.action,
    CASE WHEN k.until = 'infinity' THEN CASE WHEN k.forever THEN 'FOREVER' ELSE 'WAITING' END
      WHEN k.until > ${at} THEN 'KEPT'
      WHEN k.action = 'REVIEW' AND k.review_id IS NULL THEN 'REVIEW'
      ELSE 'ENDED' END AS state,
    k.started_at, nullif(k.until, 'infinity') AS until, k.review_id
  FROM (${everyRetention(rules, documents)}) k
  ORDER BY k.id, k.until DESC, ${CAUTION}, k.policy_id`;

/** What is said of these documents now; those that no policy keeps are left out. */
export const findRetentions = (
  reader: Reader,
  rules: RetentionRules,
  documentIds: readonly string[],
): Promise<Retention[]> =>
  reader.query<Retention>(retentions(rules, sql`doc.id ${sql.any(documentIds)}`, sql`now()`));
