import type { Database } from '../../src/db/database.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { linkViewer } from '../../src/domain/kernel/viewer.ts';
import { addSignatureFields } from '../../src/domain/signatures/signature-field-change.ts';
import { ensureSignatureForm } from '../../src/domain/signatures/signature-form-change.ts';
import { linkMessage } from '../../src/domain/signatures/signature-link.ts';
import { updateSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import type { SignatureFieldType } from '../../src/generated/prisma/client.ts';
import { newDocuments } from './storage.ts';
import { newWorld, type RestAnswer, sentFrom, testApp } from './world.ts';

/** A signer; the e-mail address is derived from the name unless given. */
export interface SignerOf {
  name: string;
  rank?: number;
  email?: string;
  /** One signature unless given. */
  fields?: SignatureFieldType[];
}

type SessionOptions = Omit<Parameters<typeof updateSignatureSession>[1], 'documentId' | 'recipients'>;

/** A world with documents, and helpers that have them signed. */
export async function newSigningWorld(on?: Database) {
  const world = await newWorld(on);
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  const app = await testApp(db);

  const document = async (name = 'contract.txt', content?: Uint8Array): Promise<string> =>
    (await newDocuments(ctx, project.id, [{ name, content }]))[0]?.id as string;

  const signersOf = (sessionId: string) =>
    db.prisma.signatureRecipient.findMany({
      where: { sessionId },
      orderBy: [{ rank: 'asc' }, { id: 'asc' }],
      include: { fields: { orderBy: { rank: 'asc' } } },
    });

  /** A draft whose signers each have their fields. */
  const draft = async (signers: SignerOf[], options: SessionOptions = {}, of?: string) => {
    const documentId = of ?? (await document());
    const session = await updateSignatureSession(ctx, {
      documentId,
      ...options,
      recipients: signers.map(({ name, rank, email }) => ({
        rank,
        email: email ?? `${name.toLowerCase()}@signers.test`,
        fullName: name,
      })),
    });
    const { id: formId } = await ensureSignatureForm(ctx, { documentId });
    const recipients = await signersOf(session.id);
    const fields = signers.flatMap(({ name, fields }) =>
      (fields ?? ['SIGNATURE']).map((type) => ({
        type,
        pageIndex: 0,
        x: 10,
        y: 20,
        recipientId: recipients.find(({ fullName }) => fullName === name)?.id,
      })),
    );
    await addSignatureFields(ctx, { formId, fields });
    return { documentId, formId, sessionId: session.id };
  };

  /** A session that is under way. */
  const active = async (signers: SignerOf[], options: SessionOptions = {}, of?: string) => {
    const session = await draft(signers, options, of);
    await updateSignatureSession(ctx, { documentId: session.documentId, begin: true });
    return session;
  };

  /** The secret of a signer's link, whether it leads anywhere or not. */
  const secretOf = (recipient: { id: string; linkVersion: number }): string =>
    ctx.storage.signedUrls.linkSecret(linkMessage(recipient));

  /** The rules' context for who follows a signer's link. */
  const through = (recipient: { id: string; linkVersion: number }): Context => ({
    ...ctx,
    viewer: linkViewer(secretOf(recipient)),
    client: { address: '192.0.2.7', userAgent: 'test' },
  });

  /** A call of REST v1 without any credential. */
  const anonymous = async (method: string, path: string, body?: unknown): Promise<RestAnswer> => {
    const answer = await app.request(
      `/api/v1${path}`,
      {
        method,
        headers: { 'content-type': 'application/json', 'user-agent': 'signer' },
        body: body === undefined ? undefined : JSON.stringify(body),
      },
      sentFrom('192.0.2.7'),
    );
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? '' : JSON.parse(text), headers: answer.headers };
  };

  const kinds = async (subjectId: string): Promise<string[]> =>
    (await db.prisma.event.findMany({ where: { subjectId }, orderBy: { sequence: 'asc' } })).map(
      ({ kind }) => kind,
    );

  const everything = async (documentId: string) => ({
    sessions: await db.prisma.signatureSession.findMany({
      where: { documentId },
      orderBy: { id: 'asc' },
      include: { recipients: { orderBy: { id: 'asc' } } },
    }),
    form: await db.prisma.signatureForm.findFirst({
      where: { documentId },
      include: { fields: { orderBy: { id: 'asc' } } },
    }),
    document: await db.prisma.document.findUnique({ where: { id: documentId } }),
    events: await db.prisma.event.count({ where: { organizationId: organization.id } }),
  });

  return {
    ...world,
    ctx,
    document,
    draft,
    active,
    signersOf,
    secretOf,
    through,
    anonymous,
    kinds,
    /** All there is about the signatures of a document, to see that nothing changed. */
    everything,
    base: `/organizations/${organization.id}/projects/${project.id}`,
  };
}
