import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { RetentionAction, RetentionScope, RetentionStart } from '../../generated/prisma/client.ts';

/** What a policy says of the documents that it keeps. */
export interface RetentionRule {
  organizationId: string;
  policyId: string;
  version: number;
  /** How long documents are kept; neither: for ever. */
  keepMonths: number | null;
  keepDays: number | null;
  startsFrom: RetentionStart;
  fieldId: string | null;
  action: RetentionAction;
  reviewAgainMonths: number;
  locked: boolean;
}

/** Which documents a policy keeps, beside those that it kept before (`retained_documents`). */
export interface RetentionCoverage {
  assignmentId: string;
  organizationId: string;
  policyId: string;
  scope: RetentionScope;
  projectId: string | null;
  folderId: string | null;
  fieldId: string | null;
  choiceKey: string | null;
}

/** The policies of some organizations, with what they keep. */
export interface RetentionRules {
  rules: readonly RetentionRule[];
  coverages: readonly RetentionCoverage[];
}

/** The most policies of an organization, and assignments of all of them: each is compared with each document. */
export const MAX_POLICIES = 100;
export const MAX_ASSIGNMENTS = 1_000;

/** Reads the policies of organizations: one statement where there are none, as in most. */
export async function readRules(
  reader: Reader,
  organizationIds: readonly string[],
): Promise<RetentionRules | undefined> {
  const rules = await reader.query<RetentionRule>(sql`
    SELECT rp.organization_id, rp.id AS policy_id, rp.version, rp.keep_months, rp.keep_days, rp.starts_from::text AS starts_from,
      rp.field_id, rp.action::text AS action, rp.review_again_months, rp.locked_at IS NOT NULL AS locked
    FROM retention_policies rp WHERE rp.organization_id ${sql.any([...new Set(organizationIds)])} ORDER BY rp.id`);
  if (rules.length === 0) return undefined;
  const coverages = await reader.query<RetentionCoverage>(sql`
    SELECT ra.id AS assignment_id, ra.organization_id, ra.policy_id, ra.scope::text AS scope, ra.project_id, ra.folder_id, ra.field_id, ra.choice_key
    FROM retention_assignments ra
    WHERE ra.organization_id ${sql.any([...new Set(rules.map((rule) => rule.organizationId))])} ORDER BY ra.id`);
  return { rules, coverages };
}
