import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { type Documents, everyRetention } from './retention.ts';
import { type RetentionRules, readRules } from './rule.ts';

/**
 * Ties documents to the locked policies that keep them, and to the time that a field gives them now. Called before a change
 * that may take them out of the scope of a policy, or change the field: such a policy keeps them wherever they go.
 * `which`: the condition on the documents.
 */
export async function keepWhereLocked(
  tx: Transaction,
  organizationId: string,
  which: Documents,
): Promise<void> {
  const rules = await readRules(tx, [organizationId]);
  const locked = rules && lockedOnly(rules);
  if (!locked) return;
  await tx.query(sql`
    INSERT INTO retained_documents AS r (organization_id, document_id, policy_id, until)
    SELECT k.organization_id, k.id, k.policy_id, CASE WHEN k.starts_from = 'FIELD' THEN nullif(k.until, 'infinity') END
    FROM (${everyRetention(locked, which)}) k
    ON CONFLICT (organization_id, document_id, policy_id) DO UPDATE SET until = greatest(r.until, excluded.until)`);
}

/** The locked policies; undefined if there are none. */
function lockedOnly({ rules, coverages }: RetentionRules): RetentionRules | undefined {
  const locked = rules.filter((rule) => rule.locked);
  if (locked.length === 0) return undefined;
  const ids = new Set(locked.map(({ policyId }) => policyId));
  return { rules: locked, coverages: coverages.filter(({ policyId }) => ids.has(policyId)) };
}
