import { sql } from '../../db/sql/sql.ts';
import type { Disposal as DisposalRow } from '../../generated/prisma/client.ts';
import { visibleDisposals } from '../access/access-retention.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { finder } from '../kernel/relation.ts';
import { tables } from '../kernel/tables.ts';

/** Documents that were disposed of together, and what proves it. */
export type Disposal = DisposalRow;

/** The disposals of an organization. */
export const disposalsOfOrganization: Listing<Disposal, object, 'CREATED_AT'> = {
  name: 'disposalsOfOrganization',
  select: () => sql`di.*`,
  from: tables.disposals.from,
  where: ({ viewer }) => sql`di.organization_id = k.id AND ${visibleDisposals(viewer, tables.disposals)}`,
  sorts: {
    CREATED_AT: sortBy(sql`di.id`, sql`di.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Reads the visible disposals with these ids. */
export const findDisposals = finder<Disposal>(
  ({ viewer }, are) =>
    sql`SELECT di.* FROM ${tables.disposals.from} WHERE di.id ${are} AND ${visibleDisposals(viewer, tables.disposals)}`,
);
