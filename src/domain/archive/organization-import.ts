import type { Database, Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toHex } from '../../lib/text/hex.ts';
import { verifyStamps } from '../anchors/anchor-check.ts';
import { verifyChains } from '../events/audit-verify.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import type { Storage } from '../kernel/context.ts';
import { badInput, conflict } from '../kernel/errors.ts';
import { lockStore } from '../maintenance/store-lock.ts';
import { requireOwnStore } from '../maintenance/store-owner.ts';
import type { ArchiveDescription } from './bag.ts';
import { type ArchiveSource, type Bag, openBag } from './bag-check.ts';
import { readCatalog } from './catalog.ts';
import { lastMigration } from './export-rows.ts';
import { importFiles, requireNewFiles } from './import-files.ts';
import { presentPeople } from './import-people.ts';
import { importRows, requireReferred } from './import-rows.ts';
import { ARCHIVE_TIMEOUT } from './organization-export.ts';

interface Site {
  db: Database;
  storage: Pick<Storage, 'store' | 'vault'>;
}

interface ImportOptions {
  /** Accounts here with the id and the address of people of the archive are theirs. */
  areSamePeople: boolean;
}

/** What was imported. */
export interface ImportReport {
  description: ArchiveDescription;
  files: number;
}

/**
 * Checks the whole archive, then imports its organization with all ids and the event log, and records that. All or nothing: files
 * are stored before the commit, and those of an import that failed are removed by the next sweep. People get accounts without any
 * way to sign in but a new password by mail. Throws BAD_USER_INPUT and CONFLICT.
 */
export async function importOrganization(
  site: Site,
  actor: Actor,
  source: ArchiveSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const { db, storage } = site;
  const bag = await openBag(source);
  await requireOwnStore(db, storage.store);
  const files = await inTransaction(db, (tx) => importBag(tx, site, actor, { bag, ...options }), {
    timeout: ARCHIVE_TIMEOUT,
  });
  return { description: bag.description, files };
}

async function importBag(
  tx: Transaction,
  { storage: { store, vault } }: Site,
  actor: Actor,
  { bag, areSamePeople }: ImportOptions & { bag: Bag },
): Promise<number> {
  const { organizationId } = bag.description;
  await lockStore(tx);
  await requireSameTables(tx, bag.description);
  await requireNewOrganization(tx, organizationId);
  await requireNewFiles(tx, bag);
  const tables = await readCatalog(tx);
  const people = await presentPeople(tx, bag, areSamePeople);
  const blobIds = await importRows(tx, tables, { bag, vault, presentPeople: people });
  await requireReferred(tx, tables, { bag });
  await requireLog(tx, bag.description);
  await skipNotifications(tx, organizationId);
  await importFiles(store, bag, blobIds);
  tx.wake('text');
  await recordEvents(actor, tx, [importEvent(bag)]);
  return blobIds.length;
}

/** Throws CONFLICT where rows are of another version of the tables. */
async function requireSameTables(tx: Reader, { migration }: ArchiveDescription): Promise<void> {
  const here = await lastMigration(tx);
  if (migration !== here)
    throw conflict(
      `The archive is of another version: its database has the migration ${migration}, and this one ${here}. Bring both servers to one version.`,
    );
}

async function requireNewOrganization(tx: Reader, organizationId: string): Promise<void> {
  const rows = await tx.query(sql`SELECT o.id FROM organizations o WHERE o.id = ${organizationId}`);
  if (rows.length > 0) throw conflict('The organization of the archive is here already.');
}

/** Throws BAD_USER_INPUT unless the log is that of the archive, and each event is as it was recorded. */
async function requireLog(tx: Reader, { organizationId, head }: ArchiveDescription): Promise<void> {
  const [row] = await tx.query<{ sequence: bigint; hash: Uint8Array }>(
    sql`SELECT h.sequence, h.hash FROM event_heads h WHERE h.organization_id = ${organizationId}`,
  );
  if (String(row?.sequence) !== head.sequence || !row || toHex(row.hash) !== head.hash)
    throw badInput('The event log does not end as the archive says.');
  for await (const { finding } of verifyChains(tx, organizationId))
    if (finding) throw badInput(`The event log was changed. ${finding.text}`);
  const { findings } = await verifyStamps(tx, organizationId);
  if (findings.length > 0) throw badInput(findings.join(' '));
}

/** Nobody is notified of the past. */
async function skipNotifications(tx: Transaction, organizationId: string): Promise<void> {
  await tx.query(sql`UPDATE notification_cursors c SET sequence = h.sequence FROM event_heads h
    WHERE c.organization_id = ${organizationId} AND h.organization_id = c.organization_id`);
}

const importEvent = ({ description: { organizationId, head }, sha256 }: Bag) => ({
  organizationId,
  subjectId: organizationId,
  kind: 'organization.imported',
  data: { after: { ...head, tagManifestSha256: sha256 } },
});
