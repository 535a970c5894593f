import { databaseTime, inFuture } from '../db/clock.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Revision, SignatureRecipient, SignatureSession } from '../generated/prisma/client.ts';
import { HOUR, SECOND } from '../lib/time.ts';
import { isAccessCode } from './access-code.ts';
import { visibleSignings } from './access-signing.ts';
import { record } from './audit.ts';
import type { Context } from './context.ts';
import { revisionUrl } from './download.ts';
import { DomainError, forbidden, notFound } from './errors.ts';
import { linkOf } from './signature-link.ts';
import { isPass } from './signing-pass.ts';

/** A signer, with what they are to sign. `codeHash` is of the code that the session asks for, if it asks for one. */
export type Signing = Pick<
  SignatureRecipient,
  | 'id'
  | 'organizationId'
  | 'sessionId'
  | 'rank'
  | 'email'
  | 'fullName'
  | 'state'
  | 'completedAt'
  | 'codePassedAt'
> &
  Pick<
    SignatureSession,
    | 'documentId'
    | 'revisionId'
    | 'formDesignType'
    | 'placeInitials'
    | 'placeFullName'
    | 'placeEmail'
    | 'placeTitle'
  > & {
    sessionState: SignatureSession['state'];
    codeHash: string | null;
    projectId: string;
    documentName: string;
    projectDisabledAt: Date | null;
  };

/** A signing as its signer sees it: with `locked`, nothing of the document before the access code is given. */
export type OpenedSigning = Signing & { locked: boolean };

export interface SigningPlace {
  sessionId: string;
  recipientId: string;
}

/** Throws NOT_FOUND, also for a link that is wrong, has expired, or leads to a session that was stopped. */
export async function requireSigning(
  ctx: Context,
  { sessionId, recipientId }: SigningPlace,
  reader: Reader = ctx.db,
): Promise<Signing> {
  const version = await provedVersion(ctx, recipientId, reader);
  const [signing] = await reader.query<Signing>(sql`SELECT
      r.id, r.organization_id, r.session_id, r.rank, r.email, r.full_name, r.state::text AS state, r.completed_at,
      r.code_passed_at, g.document_id, g.revision_id, g.state::text AS session_state, g.form_design_type,
      g.place_initials, g.place_full_name, g.place_email, g.place_title,
      CASE WHEN g.use_access_code THEN g.access_code END AS code_hash,
      d.project_id, d.name AS document_name, p.disabled_at AS project_disabled_at
    FROM signature_recipients r
    JOIN signature_sessions g ON g.organization_id = r.organization_id AND g.id = r.session_id
    JOIN documents d ON d.organization_id = g.organization_id AND d.id = g.document_id
    JOIN projects p ON p.organization_id = d.organization_id AND p.id = d.project_id
    WHERE r.id = ${recipientId} AND r.session_id = ${sessionId} AND ${visibleSignings(ctx.viewer, version)}`);
  if (!signing) throw notFound('Signing request');
  return signing;
}

/** The version of the recipient's link whose secret the viewer has; null when it is none. */
export async function provedVersion(
  { viewer, storage }: Context,
  recipientId: string,
  reader: Reader,
): Promise<number | null> {
  if (!viewer.link) return null;
  const [recipient] = await reader.query<Pick<SignatureRecipient, 'id' | 'linkVersion'>>(
    sql`SELECT r.id, r.link_version FROM signature_recipients r WHERE r.id = ${recipientId}`,
  );
  const proved = recipient && storage.addresses.opensLink(viewer.link, linkOf(recipient));
  return proved ? recipient.linkVersion : null;
}

/** What opens a signing that asks for an access code: the code, or a pass that came of giving it. */
export interface SigningProof {
  accessCode?: string | null;
  pass?: string | null;
}

/** Throws FORBIDDEN for a wrong access code, RATE_LIMITED after too many. Without one, what asks for it stays locked. */
export async function openSigning(
  ctx: Context,
  { accessCode, pass, ...place }: SigningPlace & SigningProof,
): Promise<OpenedSigning> {
  const signing = await requireSigning(ctx, place);
  if (signing.codeHash === null || isPass(ctx, signing.id, pass)) return { ...signing, locked: false };
  if (!accessCode) return { ...signing, locked: true };
  await requireAccessCode(ctx, signing, accessCode);
  return { ...signing, locked: false };
}

/** How long a code that was given opens the signing to the signature itself, which some clients send without it. */
const CODE_COUNTS = HOUR;

export async function requireUnlocked(
  ctx: Context,
  signing: Signing,
  { accessCode, pass }: SigningProof,
): Promise<void> {
  if (signing.codeHash === null || isPass(ctx, signing.id, pass)) return;
  if (accessCode) return requireAccessCode(ctx, signing, accessCode);
  if (!signing.codePassedAt || signing.codePassedAt < (await databaseTime(ctx.db, -CODE_COUNTS)))
    throw forbidden('This takes the access code.');
}

/**
 * A try is taken before the code is looked at: by one update that counts, so that no number of requests at once, to
 * however many processes, gets more of them.
 */
async function requireAccessCode(ctx: Context, signing: Signing, accessCode: string): Promise<void> {
  await takeTry(ctx, signing);
  const right = await isAccessCode(accessCode, signing.codeHash ?? '');
  await inTransaction(ctx.db, async (tx) => {
    const passed = { codeTries: 0, codeTriesFrom: null, codePassedAt: await databaseTime(tx) };
    if (right) await tx.prisma.signatureRecipient.update({ where: { id: signing.id }, data: passed });
    const kind = right ? 'document.signatureCodeAccepted' : 'document.signatureCodeRefused';
    await record(ctx, tx, [signingEvent(ctx, signing, kind)]);
  });
  if (!right) throw forbidden('The access code is wrong.');
}

async function takeTry({ db, limits }: Context, { id }: Signing): Promise<void> {
  const now = sql`now()`;
  const since = inFuture(-limits.codeWindow);
  const taken = await inTransaction(db, (tx) =>
    tx.query(sql`UPDATE signature_recipients SET
        code_tries = CASE WHEN code_tries_from > ${since} THEN code_tries + 1 ELSE 1 END,
        code_tries_from = CASE WHEN code_tries_from > ${since} THEN code_tries_from ELSE ${now} END
      WHERE id = ${id}
      AND (code_tries < ${limits.codeTries} OR code_tries_from IS NULL OR code_tries_from <= ${since})
      RETURNING id`),
  );
  if (taken.length === 0)
    throw new DomainError('RATE_LIMITED', 'Too many access codes were tried; try again later.', {
      retryAfter: Math.ceil(limits.codeWindow / SECOND),
    });
}

const LONGEST = 500;

/** Who it was, and from where, which goes with everything a signer does. */
export const origin = ({ client }: Context) => ({
  ipAddress: client?.address || null,
  userAgent: client?.userAgent.slice(0, LONGEST) || null,
});

/** An event of the document that is signed. */
export const signingEvent = (ctx: Context, signing: Signing, kind: string, more = {}) => ({
  organizationId: signing.organizationId,
  projectId: signing.projectId,
  subjectId: signing.documentId,
  kind,
  data: {
    sessionId: signing.sessionId,
    recipientId: signing.id,
    email: signing.email,
    ...origin(ctx),
    ...more,
  },
});

/** The revision that the session is about. */
export async function signedRevision(ctx: Context, { revisionId }: Signing): Promise<Revision> {
  const [revision] = await ctx.db.query<Revision>(
    sql`SELECT v.* FROM revisions v WHERE v.id = ${revisionId}`,
  );
  if (!revision) throw notFound('Revision');
  return revision;
}

/** Where the bytes are that a signer signs, for a while. */
export async function signedContent(ctx: Context, signing: Signing) {
  const revision = await signedRevision(ctx, signing);
  const { contentType, pageCount } = revision;
  return { name: signing.documentName, contentType, pageCount, url: await revisionUrl(ctx, revision, true) };
}
