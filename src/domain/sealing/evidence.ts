import { sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from '../../db/sql/sql.ts';
import type { Event, Revision } from '../../generated/prisma/client.ts';
import { toHex } from '../../lib/text/hex.ts';
import { visibleSignatures } from '../access/access.ts';
import { visibleEvents } from '../access/access-event.ts';
import { proveEvents } from '../anchors/event-proof.ts';
import { type Document, findDocuments } from '../documents/document.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';
import { PROOFS } from '../redaction/redaction.ts';
import { type EvidenceContent, signedText, writeEvidence } from './evidence-file.ts';

/** Events of a document in one file. */
const MAX_EVENTS = 20_000;

/** Of these, events with a proof of their time: those of signing before others, and newer ones before older ones. */
const MAX_PROOFS = 1_000;

/**
 * Returns the text of a document's evidence file, which evidence-check.ts checks against the sealed PDF without the
 * server; null if the document is not visible or not sealed. Throws CONFLICT for more than MAX_EVENTS events.
 */
export async function writeEvidenceOf(ctx: Context, documentId: string): Promise<string | null> {
  const [document] = await findDocuments(ctx, [documentId]);
  if (!document) return null;
  const sessions = await sessionsOf(ctx, document);
  if (!sessions.some(({ sealedRevision }) => sealedRevision !== null)) return null;
  const { id, name, organizationId, projectId } = document;
  const content: EvidenceContent = {
    format: 'docgraph-evidence-2',
    createdAt: new Date().toISOString(),
    document: { id, name, organizationId, projectId },
    revisions: await revisionsOf(ctx, document),
    sessions,
    ...(await anchored(ctx, document, await eventsOf(ctx, document))),
  };
  const { chain, key } = await ctx.storage.sealer();
  const value = await promisify(sign)('sha256', Buffer.from(signedText(content)), key);
  return writeEvidence(content, {
    certificate: new X509Certificate(chain[0] as Uint8Array).toString(),
    value: value.toString('base64'),
  });
}

async function revisionsOf({ db }: Context, { organizationId, id }: Document) {
  const rows = await db.query<Revision & { sha256: Uint8Array }>(sql`SELECT r.*, b.sha256 FROM revisions r
    JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id
    WHERE r.organization_id = ${organizationId} AND r.document_id = ${id} ORDER BY r.number`);
  return rows.map(({ number, name, contentType, size, sha256, createdAt }) => ({
    number,
    name,
    contentType,
    size: Number(size),
    sha256: toHex(sha256),
    createdAt: createdAt.toISOString(),
  }));
}

type SessionRow = EvidenceContent['sessions'][number];

const sessionsOf = ({ db, viewer }: Context, { organizationId, id }: Document): Promise<SessionRow[]> =>
  db.query<SessionRow>(sql`SELECT g.id, g.state::text AS state,
      (SELECT v.number FROM revisions v WHERE v.organization_id = g.organization_id AND v.id = g.revision_id) AS signed_revision,
      (SELECT v.number FROM revisions v WHERE v.organization_id = g.organization_id AND v.id = g.seal_revision_id) AS sealed_revision,
      encode(g.copy_sha256, 'hex') AS copy_sha256, encode(g.rendition_sha256, 'hex') AS rendition_sha256,
      coalesce((SELECT json_agg(json_build_object('id', r.id, 'rank', r.rank, 'fullName', r.full_name, 'email', r.email,
        'state', r.state, 'requestedAt', r.requested_at, 'requestSentAt', r.request_sent_at, 'completedAt', r.completed_at,
        'ipAddress', r.ip_address, 'userAgent', r.user_agent, 'timeZone', r.time_zone) ORDER BY r.rank, r.id)
        FROM signature_recipients r WHERE r.organization_id = g.organization_id AND r.session_id = g.id), '[]') AS signers
    FROM ${tables.signatureSessions.from} WHERE g.organization_id = ${organizationId} AND g.document_id = ${id}
    AND ${visibleSignatures(viewer, tables.signatureSessions)} ORDER BY g.created_at, g.id`);

async function eventsOf({ db, viewer }: Context, { organizationId, id }: Document) {
  const rows = await db.query<Event & { hashBefore: Uint8Array | null }>(sql`SELECT e.*, p.hash AS hash_before
    FROM ${tables.events.from} LEFT JOIN events p ON p.organization_id = e.organization_id AND p.sequence = e.sequence - 1
    WHERE e.organization_id = ${organizationId} AND e.subject_id = ${id} AND ${visibleEvents(viewer, tables.events)}
    ORDER BY e.sequence LIMIT ${MAX_EVENTS + 1}`);
  if (rows.length > MAX_EVENTS) throw conflict(`The document has more than ${MAX_EVENTS} events.`);
  return rows.map(({ hash, hashBefore, salt, redactedById, dataHash, stateHash, ...row }) => ({
    hashBefore: toHex(hashBefore ?? new Uint8Array()),
    hash: toHex(hash),
    event: {
      ...row,
      sequence: String(row.sequence),
      createdAt: row.createdAt.toISOString(),
      salt: salt && toHex(salt),
      ...(stateHash && { stateHash: toHex(stateHash) }),
      ...(redactedById && { redactedById, dataHash: dataHash && toHex(dataHash) }),
    },
  }));
}

type EvidenceEvents = EvidenceContent['events'];

/** Adds the proofs that events were recorded before a time-stamp: the first one after each seal, and the newest. */
async function anchored(
  { db }: Context,
  { organizationId }: Document,
  events: EvidenceEvents,
): Promise<Pick<EvidenceContent, 'events' | 'anchors'>> {
  const sequencesOf = (some: EvidenceEvents) => some.map(({ event }) => Number(event.sequence));
  const [proofs, others] = partition(events, ({ event }) => PROOFS.includes(event.kind as string));
  const sequences = sequencesOf([...proofs, ...others.reverse()]).slice(0, MAX_PROOFS);
  const sealed = sequencesOf(events.filter(({ event }) => event.kind === 'document.sealed'));
  const proven = await proveEvents(db, organizationId, sequences, sealed);
  if (proven.anchors.length === 0) return { events };
  return {
    events: events.map((each) => {
      const proof = proven.events.get(Number(each.event.sequence));
      return proof ? { ...each, proof } : each;
    }),
    anchors: proven.anchors,
  };
}

const partition = <Each>(all: readonly Each[], isFirst: (each: Each) => boolean): [Each[], Each[]] => [
  all.filter(isFirst),
  all.filter((each) => !isFirst(each)),
];
