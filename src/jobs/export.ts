import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDatabaseUnreachable } from '../db/postgres/unreachable.ts';
import type { BagFile } from '../domain/archive/bag.ts';
import {
  claimExport,
  completeExport,
  type ExportClaim,
  failExport,
  RENEWAL,
  releaseExport,
  renewExport,
  type StoredPart,
} from '../domain/archive/export-claim.ts';
import { exportMap } from '../domain/archive/export-download.ts';
import { readOrganization } from '../domain/archive/organization-export.ts';
import { UNEXPECTED } from '../domain/due-work/retry.ts';
import type { BlobStore } from '../files/store/store.ts';
import type { JobContext } from './context.ts';
import { withSpool } from './spool.ts';

/** Writes the archive of the export that is due next, other than the files of the organization; false when none is due. */
export async function exportNext(ctx: JobContext): Promise<boolean> {
  const { db, stopping } = ctx;
  if (stopping?.aborted) return false;
  const claim = await claimExport(db);
  if (!claim) return false;
  // A renewal that fails is followed by others, or the claim ends.
  const renewal = setInterval(() => void renewExport(db, claim).catch(() => {}), RENEWAL);
  try {
    await attempt(ctx, claim);
  } finally {
    clearInterval(renewal);
  }
  return true;
}

async function attempt({ db, storage: { store }, log, stopping }: JobContext, claim: ExportClaim) {
  const { organizationId, id, blobId } = claim;
  let isStored = false;
  try {
    const prefix = join(tmpdir(), 'docgraph-export-');
    isStored = await withSpool(
      prefix,
      async (spool) => {
        const archive = await readOrganization({ db, store, spool }, organizationId);
        const { parts, files } = archive;
        const stored = await storeParts(store, claim, parts);
        const { size } = exportMap(parts, files, claim.readAt);
        const fileCount = files.length;
        return completeExport(db, claim, { archive, parts: stored, fileCount, size });
      },
      stopping,
    );
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    if (stopping?.aborted) return void (await releaseExport(db, claim));
    log.warn({ err: error, exportId: id }, 'an organization was not exported');
    await failExport(db, claim, UNEXPECTED);
  } finally {
    if (!isStored) await store.remove(blobId).catch(() => {}); // the sweep removes it later
  }
}

/** Stores the files one behind the other in one object, and returns where each of them is. */
async function storeParts(
  store: BlobStore,
  { blobId }: ExportClaim,
  files: readonly BagFile[],
): Promise<StoredPart[]> {
  const parts: StoredPart[] = [];
  let offset = 0;
  for (const { path, size, sha256 } of files) {
    parts.push({ path, size, sha256, offset });
    offset += size;
  }
  await store.append(blobId, 0, bytesOf(files));
  await store.finish(blobId, offset);
  return parts;
}

async function* bytesOf(files: readonly BagFile[]): AsyncGenerator<Uint8Array> {
  for (const { open, size } of files) if (size > 0) yield* await open({ start: 0, end: size - 1 });
}
