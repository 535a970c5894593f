import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { retryDelay } from '../due-work/retry.ts';
import { claimRoundRobin } from '../due-work/round-robin.ts';
import { EXPORT_LIFETIME, isWithdrawn } from '../exports/export.ts';
import { type Actor, continuationOf, recordEvents } from '../kernel/audit.ts';
import { tables } from '../kernel/tables.ts';
import { type OrganizationArchive, recordExported } from './organization-export.ts';

/** An export that this process writes. `blobId`: the key of what it stores; `tries`: with this one; `readAt`: before any row is read. */
export interface ExportClaim {
  organizationId: string;
  id: string;
  blobId: string;
  tries: number;
  createdById: string;
  credentialId: string;
  requestId: string;
  readAt: Date;
}

/** A file of an archive in the object that was stored of it: from `offset`, in bytes. `sha256`: in hexadecimal. */
export interface StoredPart {
  path: string;
  size: number;
  sha256: string;
  offset: number;
}

/** How long a claim lasts without `renewExport`. */
const LEASE = 5 * MINUTE;

/** How often a claim is renewed. */
export const RENEWAL = MINUTE;

/** Attempts of one export, those of processes that crashed included. */
const MAX_TRIES = 5;

/** Its start and its end are of whoever started it. */
const actorOf = (claim: ExportClaim): Actor =>
  continuationOf({ ...claim, userId: claim.createdById, clientId: null });

/** On exports: claimed by this process. */
const isClaimed = ({ organizationId, id, blobId }: ExportClaim): Sql =>
  sql`ox.organization_id = ${organizationId} AND ox.id = ${id} AND ox.blob_id = ${blobId} AND ox.state = 'RUNNING'`;

/** Claims the export that has been due longest, taking turns between organizations; undefined if none is due. */
export const claimExport = (db: Database): Promise<ExportClaim | undefined> =>
  claimRoundRobin(db, 'export', async (idCondition) => {
    const [claim] = await db.query<ExportClaim>(sql`UPDATE organization_exports ox
      SET state = 'RUNNING', tries = ox.tries + 1, blob_id = ${newId('Blob')}, next_at = ${nowPlus(LEASE)}, read_at = now()
      WHERE (ox.organization_id, ox.id) = (SELECT x.organization_id, x.id FROM organization_exports x
        WHERE x.next_at <= now() AND x.organization_id ${idCondition}
        ORDER BY x.organization_id, x.next_at, x.id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING ox.organization_id, ox.id, ox.blob_id, ox.tries, ox.created_by_id, ox.credential_id, ox.request_id, ox.read_at`);
    return claim;
  });

/** Keeps a claim while its process is at work. */
export const renewExport = (db: Database, claim: ExportClaim): Promise<unknown> =>
  db.query(sql`UPDATE organization_exports ox SET next_at = ${nowPlus(LEASE)} WHERE ${isClaimed(claim)}`);

/** What was stored of an archive, under the key of its claim. */
interface WrittenArchive {
  archive: Pick<OrganizationArchive, 'description' | 'sha256'>;
  parts: readonly StoredPart[];
  fileCount: number;
  /** Of the whole archive, in bytes. */
  size: number;
}

/**
 * Ends an export whose archive was written, with its event. It is due again where something in it was purged, redacted or erased
 * meanwhile. False if it was deleted, or another process has taken over: what was stored is nothing's then.
 */
export const completeExport = (db: Database, claim: ExportClaim, written: WrittenArchive): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { archive, parts, fileCount, size } = written;
    const { sequence } = archive.description.head;
    const [stored] = await tx.query(sql`UPDATE organization_exports ox
      SET parts = ${JSON.stringify(parts)}::jsonb, file_count = ${fileCount}::int, size = ${size}::bigint,
        sequence = ${sequence}::bigint, sha256 = decode(${archive.sha256}, 'hex')
      WHERE ${isClaimed(claim)} RETURNING ox.id`);
    if (!stored) return false;
    if (await isOutdated(tx, claim)) {
      await postpone(tx, claim);
      return false;
    }
    await tx.query(sql`UPDATE organization_exports ox SET state = 'READY', next_at = NULL, completed_at = now(),
      expires_at = ${nowPlus(EXPORT_LIFETIME)} WHERE ${isClaimed(claim)}`);
    await recordExported(actorOf(claim), tx, archive);
    return true;
  });

async function isOutdated(tx: Transaction, claim: ExportClaim): Promise<boolean> {
  const rows = await tx.query(sql`SELECT ox.id FROM ${tables.organizationExports.from}
    WHERE ${isClaimed(claim)} AND ${isWithdrawn(tables.organizationExports)}`);
  return rows.length > 0;
}

/** Ends a claim after a failure: the export is tried again after a growing pause, or fails for good with its event. */
export const failExport = (db: Database, claim: ExportClaim, failure: string): Promise<unknown> =>
  inTransaction(db, async (tx) => {
    if (claim.tries < MAX_TRIES) return postpone(tx, claim);
    const failed =
      await tx.query(sql`UPDATE organization_exports ox SET state = 'FAILED', failure = ${failure}, next_at = NULL,
      blob_id = NULL, completed_at = now(), expires_at = ${nowPlus(EXPORT_LIFETIME)} WHERE ${isClaimed(claim)} RETURNING ox.id`);
    const { organizationId, id } = claim;
    if (failed.length > 0)
      await recordEvents(actorOf(claim), tx, [
        {
          organizationId,
          subjectId: organizationId,
          kind: 'organization.exportFailed',
          data: { after: { exportId: id, failure } },
        },
      ]);
  });

const postpone = (tx: Transaction, claim: ExportClaim): Promise<unknown> =>
  tx.query(sql`UPDATE organization_exports ox SET state = 'QUEUED', blob_id = NULL,
    next_at = ${nowPlus(Math.max(retryDelay(claim.tries), 10 * SECOND))} WHERE ${isClaimed(claim)}`);

/** Releases a claim without counting it, as its process stops. */
export const releaseExport = (db: Database, claim: ExportClaim): Promise<unknown> =>
  db.query(sql`UPDATE organization_exports ox SET state = 'QUEUED', blob_id = NULL, tries = ox.tries - 1, next_at = ${nowPlus(0)}
    WHERE ${isClaimed(claim)}`);
