import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Event } from '../../generated/prisma/client.ts';
import { AnchorWalk } from '../anchors/anchor-check.ts';
import { ChainWalk, type Finding, type Head } from './audit-walk.ts';
import { alteredState } from './state-verify.ts';

const PAGE = 500;

/** The result of verifying the chain of an organization: the number of valid events, and the first defect, if any. */
export interface ChainReport {
  organizationId: string;
  events: bigint;
  /** Those of them whose content was redacted. */
  redacted: number;
  /** What was time-stamped last, if all events up to there are those that were. */
  stamped?: { size: number; stampedAt: string; authority: string };
  finding?: Pick<Finding, 'text'>;
}

/** Verifies the hash chain of each organization, or of `only`, reading `page` rows at a time. Writers need not stop. */
export async function* verifyChains(db: Reader, only?: string, page = PAGE): AsyncGenerator<ChainReport> {
  for (let after = ''; ; ) {
    const [organization] = await db.query<{ id: string }>(sql`SELECT o.id FROM organizations o
      WHERE o.id > ${after} AND ${only ? sql`o.id = ${only}` : sql`true`} ORDER BY o.id LIMIT 1`);
    if (!organization) return;
    after = organization.id;
    yield await verifyChain(db, organization.id, page);
  }
}

async function verifyChain(db: Reader, organizationId: string, page: number): Promise<ChainReport> {
  const walk = new ChainWalk();
  const anchors = await AnchorWalk.load(db, organizationId);
  for (;;) {
    // Read before the page, so that an event added in between is on the page, and not missing behind it.
    const [head] = await db.query<Head>(
      sql`SELECT h.sequence, h.hash FROM event_heads h WHERE h.organization_id = ${organizationId}`,
    );
    const rows = await db.query<Event>(sql`SELECT e.* FROM events e
      WHERE e.organization_id = ${organizationId} AND e.sequence > ${walk.at} ORDER BY e.sequence LIMIT ${page}`);
    const finding =
      rows.length > 0
        ? (firstFinding(walk, anchors, rows) ?? (await alteredState(db, organizationId, rows)))
        : walk.end(head);
    if (!finding && rows.length > 0) continue;
    const fault = finding ? undefined : await anchors.end(db);
    const { at: events, redacted } = walk;
    const report = { organizationId, events, redacted, stamped: anchors.last };
    return { ...report, finding: finding ?? (fault ? { text: fault } : undefined) };
  }
}

function firstFinding(walk: ChainWalk, anchors: AnchorWalk, rows: Event[]): { text: string } | undefined {
  for (const row of rows) {
    const finding = walk.step(row);
    if (finding) return finding;
    const fault = anchors.step(row.hash);
    if (fault) return { text: fault };
  }
  return undefined;
}
