import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Event } from '../../generated/prisma/client.ts';
import { ChainWalk, type Finding, type Head } from './audit-walk.ts';

const PAGE = 500;

/** The result of verifying the chain of an organization: the number of valid events, and the first defect, if any. */
export interface ChainReport {
  organizationId: string;
  events: bigint;
  /** Those of them whose content was redacted. */
  redacted: number;
  finding?: Finding;
}

/** Verifies the hash chain of each organization, or of `only`, reading `page` rows at a time. Writers need not stop. */
export async function* verifyChains(db: Database, only?: string, page = PAGE): AsyncGenerator<ChainReport> {
  for (let after = ''; ; ) {
    const [organization] = await db.query<{ id: string }>(sql`SELECT o.id FROM organizations o
      WHERE o.id > ${after} AND ${only ? sql`o.id = ${only}` : sql`true`} ORDER BY o.id LIMIT 1`);
    if (!organization) return;
    after = organization.id;
    yield await verifyChain(db, organization.id, page);
  }
}

async function verifyChain(db: Database, organizationId: string, page: number): Promise<ChainReport> {
  const walk = new ChainWalk();
  for (;;) {
    // Read before the page, so that an event added in between is on the page, and not missing behind it.
    const [head] = await db.query<Head>(
      sql`SELECT h.sequence, h.hash FROM event_heads h WHERE h.organization_id = ${organizationId}`,
    );
    const rows = await db.query<Event>(sql`SELECT e.* FROM events e
      WHERE e.organization_id = ${organizationId} AND e.sequence > ${walk.at} ORDER BY e.sequence LIMIT ${page}`);
    const finding = rows.length > 0 ? firstFinding(walk, rows) : walk.end(head);
    if (finding || rows.length === 0)
      return { organizationId, events: walk.at, redacted: walk.redacted, finding };
  }
}

function firstFinding(walk: ChainWalk, rows: Event[]): Finding | undefined {
  for (const row of rows) {
    const finding = walk.step(row);
    if (finding) return finding;
  }
  return undefined;
}
