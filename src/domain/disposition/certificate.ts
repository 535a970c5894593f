import { createHash } from 'node:crypto';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { toHex } from '../../lib/text/hex.ts';
import type { SealCertificate } from '../../pdf/seal/certificate.ts';
import { sealDigest } from '../../pdf/seal/seal.ts';
import type { NewEvent } from '../kernel/audit.ts';
import { keepText } from '../retention/keep.ts';
import type { Retention } from '../retention/retention.ts';

interface Due {
  document: { id: string; projectId: string };
  retention: Retention;
}

interface DisposalKey {
  organizationId: string;
  id: string;
  policyId: string;
}

/**
 * Writes down what is disposed of, and why, before it is: as JSON, whose SHA-256 the event has, and sealed as documents are. It has no names, so that it may be
 * kept for good: ids, digests, times. Format: docs/work/retention.md. Returns the event to record.
 */
export async function issueCertificate(
  tx: Transaction,
  key: DisposalKey,
  due: readonly Due[],
  sealer: SealCertificate,
): Promise<NewEvent> {
  const { organizationId, id, policyId } = key;
  const policy = await tx.prisma.retentionPolicy.findUniqueOrThrow({ where: { id: policyId } });
  const revisions = await readRevisions(tx, organizationId, due);
  const bytesFreed = await readFreedBytes(tx, organizationId, due);
  const approvers = await readApprovers(tx, organizationId, due);
  const certificate = JSON.stringify({
    ...{ format: 'docgraph-disposal-1', disposalId: id, organizationId, bytesFreed: Number(bytesFreed) },
    policy: {
      ...{ id: policyId, version: policy.version, keep: keepText(policy), startsFrom: policy.startsFrom },
      ...{ action: policy.action, locked: policy.lockedAt !== null },
    },
    documents: due.map(({ document, retention }) => ({
      ...{ id: document.id, projectId: document.projectId },
      ...{ keptFrom: retention.startedAt, keptUntil: retention.until },
      ...(retention.reviewId && {
        review: { runId: retention.reviewId, approverIds: approvers.get(retention.reviewId) ?? [] },
      }),
      revisions: revisions
        .filter(({ documentId }) => documentId === document.id)
        .map(({ id, number, size, sha256 }) => ({ id, number, size: Number(size), sha256 })),
    })),
  });
  const sha256 = createHash('sha256').update(certificate).digest();
  const seal = await sealDigest(sha256, sealer);
  await tx.prisma.disposal.create({
    data: {
      ...{ organizationId, id, policyId, policyName: policy.name, documentCount: due.length, bytesFreed },
      ...{ certificate, sha256: new Uint8Array(sha256), seal },
    },
  });
  const data = { policyId, documentCount: due.length, certificateSha256: toHex(sha256) };
  return { organizationId, projectId: null, subjectId: id, kind: 'documents.disposed', data };
}

const readRevisions = (tx: Transaction, organizationId: string, due: readonly Due[]) =>
  tx.query<{ documentId: string; id: string; number: number; size: bigint; sha256: string }>(sql`
    SELECT r.document_id, r.id, r.number, r.size, encode(b.sha256, 'hex') AS sha256
    FROM revisions r JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id
    WHERE r.organization_id = ${organizationId} AND r.document_id ${sql.any(due.map(({ document }) => document.id))}
    ORDER BY r.document_id, r.number`);

/** Who approved each review, by its run. */
async function readApprovers(tx: Transaction, organizationId: string, due: readonly Due[]) {
  const runIds = due.flatMap(({ retention }) => retention.reviewId ?? []);
  if (runIds.length === 0) return new Map<string, string[]>();
  const rows = await tx.query<{ runId: string; userIds: string[] }>(sql`
    SELECT a.run_id, array_agg(x.user_id ORDER BY x.user_id) AS user_ids FROM approvals a
    JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id AND x.state = 'APPROVED'
    WHERE a.organization_id = ${organizationId} AND a.run_id ${sql.any(runIds)} GROUP BY a.run_id`);
  return new Map(rows.map(({ runId, userIds }) => [runId, userIds]));
}

/** Bytes of the files of these documents that nothing else in the organization uses. */
async function readFreedBytes(tx: Transaction, organizationId: string, due: readonly Due[]): Promise<bigint> {
  const ids = due.map(({ document }) => document.id);
  const [{ bytes } = { bytes: 0n }] = await tx.query<{ bytes: bigint }>(sql`
    WITH uses AS NOT MATERIALIZED (
      SELECT v.blob_id, v.document_id FROM revisions v WHERE v.organization_id = ${organizationId}
      UNION ALL SELECT v.copy_blob_id, v.document_id FROM signature_sessions v
        WHERE v.organization_id = ${organizationId} AND v.copy_blob_id IS NOT NULL
      UNION ALL SELECT w.blob_id, v.document_id FROM renditions w
        JOIN revisions v ON v.organization_id = w.organization_id AND v.id = w.revision_id WHERE w.organization_id = ${organizationId}
      UNION ALL SELECT v.blob_id, NULL FROM form_templates v WHERE v.organization_id = ${organizationId})
    SELECT coalesce(sum(b.size), 0)::bigint AS bytes FROM blobs b WHERE b.organization_id = ${organizationId}
      AND b.id IN (SELECT u.blob_id FROM uses u WHERE u.document_id ${sql.any(ids)})
      AND NOT EXISTS (SELECT FROM uses u WHERE u.blob_id = b.id AND (u.document_id IS NULL OR u.document_id <> ALL(${ids})))`);
  return bytes;
}
