import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { SignatureRecipient, SignatureSession } from '../../generated/prisma/client.ts';
import { inLiveProject } from '../access/access.ts';
import { overdueSession, visibleSigningStatus } from '../access/access-signing.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';
import { presentedLinkVersion } from '../signatures/signature-link.ts';

/**
 * READY: this signer can sign. WAITING: for earlier signers. SIGNED, DECLINED: by this signer. STOPPED: the session, by
 * somebody else. WITHDRAWN: with the document or its project. EXPIRED: the link, or the session.
 */
export type SigningStatus = 'READY' | 'WAITING' | 'SIGNED' | 'DECLINED' | 'STOPPED' | 'WITHDRAWN' | 'EXPIRED';

interface StatusRow {
  sessionId: string;
  state: SignatureRecipient['state'];
  sessionState: SignatureSession['state'];
  expired: boolean;
  withdrawn: boolean;
}

/**
 * Returns the state of a signer's request, also after the session has ended. Throws NOT_FOUND without the signer's
 * link.
 */
export async function signingStatus(
  ctx: Context,
  recipientId: string,
): Promise<{ sessionId: string; status: SigningStatus }> {
  const row = await findStatus(ctx, recipientId, ctx.db);
  if (!row) throw notFound('Signing request');
  return { sessionId: row.sessionId, status: toStatus(row) };
}

/** Whether the viewer is this signer, by link or account, and the sender has withdrawn the document. */
export async function isWithdrawn(ctx: Context, recipientId: string, reader: Reader): Promise<boolean> {
  const row = await findStatus(ctx, recipientId, reader);
  return row !== undefined && toStatus(row) === 'WITHDRAWN';
}

async function findStatus(ctx: Context, recipientId: string, reader: Reader): Promise<StatusRow | undefined> {
  const version = await presentedLinkVersion(ctx, recipientId, reader);
  const [row] = await reader.query<StatusRow>(sql`SELECT r.session_id, r.state::text AS state,
      g.state::text AS session_state, (coalesce(r.link_expires_at <= now() OR g.stop_reason = 'EXPIRED', false) OR ${overdueSession(tables.signatureSessions)}) AS expired,
      (coalesce(g.stop_reason = 'WITHDRAWN', false) OR d.state <> 'ACTIVE' OR NOT ${inLiveProject(tables.documents)}) AS withdrawn
    FROM ${tables.signatureRecipients.from}
    JOIN ${tables.signatureSessions.from} ON g.organization_id = r.organization_id AND g.id = r.session_id
    JOIN ${tables.documents.from} ON d.organization_id = g.organization_id AND d.id = g.document_id
    WHERE r.id = ${recipientId} AND ${visibleSigningStatus(ctx.viewer, tables.signatureRecipients, version)}`);
  return row;
}

function toStatus({ state, sessionState, expired, withdrawn }: StatusRow): SigningStatus {
  if (expired) return 'EXPIRED';
  if (state === 'DECLINED') return 'DECLINED';
  if (withdrawn) return 'WITHDRAWN';
  if (sessionState === 'STOPPED') return 'STOPPED';
  if (state === 'COMPLETED') return 'SIGNED';
  return state === 'REQUESTED' ? 'READY' : 'WAITING';
}
