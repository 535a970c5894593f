import { sql } from '../db/sql.ts';
import type { SignatureRecipient, SignatureSession } from '../generated/prisma/client.ts';
import { toldOfSignings } from './access-signing.ts';
import type { Context } from './context.ts';
import { notFound } from './errors.ts';
import { provedVersion } from './signing.ts';

/** READY to be signed, WAITING for the signers before, SIGNED or DECLINED by this signer, STOPPED by others. */
export type SigningStanding = 'READY' | 'WAITING' | 'SIGNED' | 'DECLINED' | 'STOPPED' | 'EXPIRED';

interface Row {
  sessionId: string;
  state: SignatureRecipient['state'];
  sessionState: SignatureSession['state'];
  expired: boolean;
}

/** Where a signer's own link leads at this moment, also after what it led to has ended. Throws NOT_FOUND without it. */
export async function signingStanding(
  ctx: Context,
  recipientId: string,
): Promise<{ sessionId: string; standing: SigningStanding }> {
  const version = await provedVersion(ctx, recipientId, ctx.db);
  const [row] = await ctx.db.query<Row>(sql`SELECT r.session_id, r.state::text AS state,
      g.state::text AS session_state, coalesce(r.link_expires_at <= now(), false) AS expired
    FROM signature_recipients r
    JOIN signature_sessions g ON g.organization_id = r.organization_id AND g.id = r.session_id
    JOIN documents d ON d.organization_id = g.organization_id AND d.id = g.document_id
    WHERE r.id = ${recipientId} AND ${toldOfSignings(version)}`);
  if (!row) throw notFound('Signing request');
  return { sessionId: row.sessionId, standing: standingOf(row) };
}

function standingOf({ state, sessionState, expired }: Row): SigningStanding {
  if (expired) return 'EXPIRED';
  if (state === 'DECLINED') return 'DECLINED';
  if (sessionState === 'STOPPED') return 'STOPPED';
  if (state === 'COMPLETED') return 'SIGNED';
  return state === 'REQUESTED' ? 'READY' : 'WAITING';
}
