import { sql } from '../../db/sql/sql.ts';
import type {
  RetentionAssignment as AssignmentRow,
  RetentionPolicy as PolicyRow,
} from '../../generated/prisma/client.ts';
import { visibleRetention } from '../access/access-retention.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { finder } from '../kernel/relation.ts';
import { tables } from '../kernel/tables.ts';

export type RetentionPolicy = PolicyRow;
export type RetentionAssignment = AssignmentRow;

/** The retention policies of an organization. */
export const policiesOfOrganization: Listing<RetentionPolicy, object, 'NAME'> = {
  name: 'policiesOfOrganization',
  select: () => sql`rp.*`,
  from: tables.retentionPolicies.from,
  where: ({ viewer }) =>
    sql`rp.organization_id = k.id AND ${visibleRetention(viewer, tables.retentionPolicies)}`,
  sorts: {
    NAME: { ...sortBy(sql`rp.id`, sql`rp.name_key`, 'text', (row) => row.nameKey), unique: true },
  },
};

/** What a policy is assigned to. */
export const assignmentsOfPolicy: Listing<RetentionAssignment, object, 'CREATED_AT'> = {
  name: 'assignmentsOfPolicy',
  select: () => sql`ra.*`,
  from: tables.retentionAssignments.from,
  where: ({ viewer }) => sql`ra.organization_id = k.organization_id AND ra.policy_id = k.id
    AND ${visibleRetention(viewer, tables.retentionAssignments)}`,
  sorts: {
    CREATED_AT: sortBy(sql`ra.id`, sql`ra.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Reads the visible policies with these ids. */
export const findPolicies = finder<RetentionPolicy>(
  ({ viewer }, are) => sql`SELECT rp.* FROM ${tables.retentionPolicies.from}
    WHERE rp.id ${are} AND ${visibleRetention(viewer, tables.retentionPolicies)}`,
);

/** Reads the visible assignments with these ids. */
export const findAssignments = finder<RetentionAssignment>(
  ({ viewer }, are) => sql`SELECT ra.* FROM ${tables.retentionAssignments.from}
    WHERE ra.id ${are} AND ${visibleRetention(viewer, tables.retentionAssignments)}`,
);
