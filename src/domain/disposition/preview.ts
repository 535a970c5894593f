import { z } from 'zod';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { RetentionAction } from '../../generated/prisma/enums.ts';
import { isOrganizationAdmin } from '../access/role.ts';
import { type Document, findDocuments } from '../documents/document.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, forbidden, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import { findOrganizations } from '../organizations/organization.ts';
import { type Documents, everyRetention, retentions } from '../retention/retention.ts';
import { type RetentionRules, readRules } from '../retention/rule.ts';
import { requireScope, scopeInput } from './assignment-change.ts';
import { findAssignments, findPolicies, type RetentionPolicy } from './policy.ts';
import { FOR_EVER, keepInput } from './policy-rule.ts';
import { isIdle } from './unchanged.ts';

/** Documents that a preview lists. */
const LISTED = 50;

const preview = z.strictObject({
  organizationId: z.string(),
  at: z.date().nullish(),
  policyId: z.string().nullish(),
  keep: keepInput.nullish(),
  forever: z.boolean().nullish(),
  action: z.enum(RetentionAction).nullish(),
  assign: scopeInput.nullish(),
  unassignId: z.string().nullish(),
});

type Preview = z.output<typeof preview>;

/** What policies would do at a moment, with a change of one of them. */
export interface RetentionPreview {
  /** Documents that the policy covers; without one, those that any covers. */
  covered: number;
  /** Documents whose retention the change ends earlier, and later. */
  shortened: number;
  lengthened: number;
  /** Documents that the sweep would purge at that moment, their bytes, and those that it would put to review. */
  due: number;
  dueBytes: bigint;
  reviews: number;
  /** The first of both. */
  documents: Document[];
}

type Counts = Omit<RetentionPreview, 'documents'> & { documentIds: string[] };

/**
 * What the sweep would do at `at`, by the same statement, if a policy were changed and assigned as the input says. Changes nothing.
 * Requires OWNER or ADMIN of the organization. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT.
 */
export async function previewRetention(
  ctx: Context,
  input: z.input<typeof preview>,
): Promise<RetentionPreview> {
  const given = parse(preview, input);
  const { organizationId } = given;
  const [organization] = await findOrganizations(ctx, [organizationId]);
  if (!organization) throw notFound('Organization', 'organizationId');
  if (!isOrganizationAdmin(ctx.viewer, organizationId))
    throw forbidden('This takes the role OWNER or ADMIN in the organization.');
  const before = (await readRules(ctx.db, [organizationId])) ?? { rules: [], coverages: [] };
  const after = await changed(ctx, before, given);
  const at = given.at ? sql`${given.at}::timestamptz` : sql`now()`;
  const [counts] = await ctx.db.query<Counts>(countsOf(given, before, after, at));
  const { documentIds, ...rest } = counts as Counts;
  const documents = await findDocuments(ctx, documentIds);
  return { ...rest, documents: documents.sort((one, other) => (one.id < other.id ? -1 : 1)) };
}

/** The rules with the change. */
async function changed(
  ctx: Context,
  { rules, coverages }: RetentionRules,
  given: Preview,
): Promise<RetentionRules> {
  const { policyId, keep, forever, action, assign, unassignId } = given;
  if (!policyId) {
    if (keep || forever || action || assign || unassignId)
      throw badValue('policyId', 'is required for a change of a policy');
    return { rules, coverages };
  }
  const policy = await requirePolicy(ctx, given, policyId);
  const scope = assign && (await requireScope(ctx, ctx.db, policy, assign, 'assign'));
  const removed = unassignId ? await findAssignments(ctx, [unassignId]) : [];
  if (unassignId && removed[0]?.policyId !== policyId) throw notFound('Assignment', 'unassignId');
  return {
    rules: rules.map((rule) =>
      rule.policyId === policyId
        ? { ...rule, ...(forever ? FOR_EVER : keep), action: action ?? rule.action }
        : rule,
    ),
    coverages: [
      ...coverages.filter(({ assignmentId }) => assignmentId !== unassignId),
      ...(scope ? [{ ...scope, policyId, assignmentId: '' }] : []),
    ],
  };
}

async function requirePolicy(
  ctx: Context,
  { organizationId }: Preview,
  policyId: string,
): Promise<RetentionPolicy> {
  const [policy] = await findPolicies(ctx, [policyId]);
  if (policy?.organizationId !== organizationId) throw notFound('Retention policy', 'policyId');
  return policy;
}

/** Until when a row of `retentions` keeps its document; one that is kept without an end sorts last. */
const END = (rows: string): Sql =>
  sql.raw(
    `CASE WHEN ${rows}.document_id IS NULL THEN '-infinity' ELSE coalesce(${rows}.until, 'infinity') END`,
  );

function countsOf(
  { organizationId, policyId }: Preview,
  before: RetentionRules,
  after: RetentionRules,
  at: Sql,
): Sql {
  const all: Documents = (documents) => sql`${documents}.organization_id = ${organizationId}`;
  const covering = policyId
    ? { ...after, rules: after.rules.filter((rule) => rule.policyId === policyId) }
    : after;
  return sql`WITH old AS (${retentions(before, all, at)}), new AS (${retentions(after, all, at)}),
    due AS (SELECT n.document_id, n.state FROM new n
      JOIN ${tables.documents.from} ON d.organization_id = n.organization_id AND d.id = n.document_id
      WHERE n.action <> 'NOTHING' AND n.state IN ('ENDED', 'REVIEW') AND ${isIdle(tables.documents)}),
    changes AS (SELECT ${END('old')} AS old_end, ${END('new')} AS new_end FROM old FULL JOIN new USING (document_id))
    SELECT (SELECT count(DISTINCT y.id)::int FROM (${everyRetention(covering, all)}) y) AS covered,
      (SELECT count(*)::int FROM changes WHERE new_end < old_end) AS shortened,
      (SELECT count(*)::int FROM changes WHERE new_end > old_end) AS lengthened,
      (SELECT count(*)::int FROM due WHERE state = 'ENDED') AS due,
      (SELECT count(*)::int FROM due WHERE state = 'REVIEW') AS reviews,
      (SELECT coalesce(sum(r.size), 0)::bigint FROM due JOIN revisions r
        ON r.organization_id = ${organizationId} AND r.document_id = due.document_id WHERE due.state = 'ENDED') AS due_bytes,
      (SELECT coalesce(array_agg(x.document_id), '{}') FROM (SELECT due.document_id FROM due ORDER BY due.document_id LIMIT ${LISTED}) x)
        AS document_ids`;
}
