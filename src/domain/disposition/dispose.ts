import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { purge } from '../documents/purge.ts';
import { serverActor } from '../kernel/audit.ts';
import type { Storage } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import { findRetentions, type Retention } from '../retention/retention.ts';
import { type RetentionRules, readRules } from '../retention/rule.ts';
import { issueCertificate } from './certificate.ts';
import { requestReviews } from './review.ts';
import { isIdle, lockUnchanged } from './unchanged.ts';

/** Documents that are looked at in one statement, and disposed of in one transaction. */
const PAGE = 2_000;
const BATCH = 500;

const ACTOR = serverActor('sweep');

/** What a disposal needs: the storage has the key that seals certificates. */
interface DisposalSite {
  db: Database;
  storage: Pick<Storage, 'sealer'>;
}

/** How many documents a run disposed of, and put to review. */
interface DisposalCounts {
  disposed: number;
  reviews: number;
}

/**
 * Disposes of the documents whose retention has ended, as their policies say: purges them, or has their review requested. A document
 * under legal hold, or in use, stays. Each batch of a policy is one transaction with its certificate.
 */
export async function disposeOfDocuments(site: DisposalSite): Promise<DisposalCounts> {
  const organizations = await site.db.query<{
    id: string;
  }>(sql`SELECT DISTINCT rp.organization_id AS id FROM retention_policies rp
    WHERE rp.action <> 'NOTHING' ORDER BY id`);
  const counts = { disposed: 0, reviews: 0 };
  for (const { id } of organizations) {
    const { disposed, reviews } = await disposeIn(site, id);
    counts.disposed += disposed;
    counts.reviews += reviews;
  }
  return counts;
}

async function disposeIn(site: DisposalSite, organizationId: string): Promise<DisposalCounts> {
  const { db } = site;
  const rules = await readRules(db, [organizationId]);
  const counts = { disposed: 0, reviews: 0 };
  if (!rules) return counts;
  for await (const page of retentionPages(db, rules, organizationId)) {
    for (const [policyId, ids] of byPolicy(page.filter(isDisposable)))
      for (const batch of batches(ids))
        counts.disposed += await disposeOf(site, organizationId, policyId, batch);
    for (const [policyId, ids] of byPolicy(page.filter(({ state }) => state === 'REVIEW')))
      for (const batch of batches(ids))
        counts.reviews += await requestReviews(db, organizationId, policyId, batch);
  }
  return counts;
}

/** The policy has it destroyed, at once or as its review approved. */
const isDisposable = ({ state, action }: Retention): boolean => state === 'ENDED' && action !== 'NOTHING';

/** What is said of the documents of an organization, page by page. */
async function* retentionPages(db: Database, rules: RetentionRules, organizationId: string) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { id: string; idle: boolean }[] = await db.query<{ id: string; idle: boolean }>(sql`
      SELECT d.id, ${isIdle(tables.documents)} AS idle FROM ${tables.documents.from} WHERE d.organization_id = ${organizationId} AND d.id > ${after}
      ORDER BY d.id LIMIT ${PAGE}`);
    yield await findRetentions(
      db,
      rules,
      rows.filter(({ idle }) => idle).map(({ id }) => id),
    );
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}

function byPolicy(retentions: readonly Retention[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { policyId, documentId } of retentions)
    groups.set(policyId, [...(groups.get(policyId) ?? []), documentId]);
  return groups;
}

const batches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  );

/** Purges documents of one policy, with their certificate. Returns how many. */
async function disposeOf(
  { db, storage }: DisposalSite,
  organizationId: string,
  policyId: string,
  ids: readonly string[],
): Promise<number> {
  const sealer = await storage.sealer();
  return inTransaction(db, async (tx) => {
    const due = await lockUnchanged(
      tx,
      organizationId,
      ids,
      (each) => each.policyId === policyId && isDisposable(each),
    );
    if (due.length === 0) return 0;
    const id = newId('Disposal');
    const event = await issueCertificate(tx, { organizationId, id, policyId }, due, sealer);
    await purge(
      ACTOR,
      tx,
      due.map(({ document }) => document),
      { disposalId: id, more: [event] },
    );
    return due.length;
  });
}
