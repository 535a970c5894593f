import { sql } from '../../db/sql/sql.ts';
import type { Revision, SignatureField } from '../../generated/prisma/client.ts';
import { revisionUrl } from '../downloads/download.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { type SignedFile, type Signing, signedFile } from './signing.ts';

/** The person who requests the signature. */
interface Sender {
  name: string;
  organizationName: string;
}

/** What an unlocked signing shows. ownFields: the signer's open fields; otherFields: all fields filled in so far. */
export interface SigningView {
  file: SignedFile;
  sender: Sender;
  ownFields: SignatureField[];
  otherFields: SignatureField[];
}

/** Reads the view of an unlocked signing. Throws NOT_FOUND. */
export async function viewSigning(ctx: Context, signing: Signing): Promise<SigningView> {
  const { organizationId, sessionId, id } = signing;
  const [sender] = await ctx.db.query<Sender>(sql`SELECT u.name, o.name AS organization_name
    FROM signature_sessions g JOIN organizations o ON o.id = g.organization_id JOIN users u ON u.id = g.created_by_id
    WHERE g.organization_id = ${organizationId} AND g.id = ${sessionId}`);
  if (!sender) throw notFound('Signing request');
  const fields = await ctx.db.query<SignatureField>(sql`SELECT w.* FROM signature_recipients r
    JOIN signature_fields w ON w.organization_id = r.organization_id AND w.recipient_id = r.id
    WHERE r.organization_id = ${organizationId} AND r.session_id = ${sessionId}
    AND (r.id = ${id} OR w.completed_at IS NOT NULL) ORDER BY w.rank, w.id`);
  const isOpen = (field: SignatureField) => field.recipientId === id && field.completedAt === null;
  return {
    file: await signedFile(ctx, signing),
    sender: sender,
    ownFields: fields.filter(isOpen),
    otherFields: fields.filter((field) => !isOpen(field)),
  };
}

/** Returns a signed URL of the signer's copy: the sealed file if there is one, else the file that is signed. */
export async function signingCopy(ctx: Context, signing: Signing): Promise<string> {
  const [sealed] = await ctx.db.query<Revision>(sql`SELECT v.* FROM signature_sessions g
    JOIN revisions v ON v.organization_id = g.organization_id AND v.id = g.seal_revision_id
    WHERE g.organization_id = ${signing.organizationId} AND g.id = ${signing.sessionId}`);
  return revisionUrl(ctx, sealed ?? (await signedFile(ctx, signing)), false);
}
