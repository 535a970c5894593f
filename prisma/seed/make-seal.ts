import { sealSession } from '../../src/domain/sealing/sealing.ts';
import { addSignatureFields } from '../../src/domain/signatures/signature-field-change.ts';
import { ensureSignatureForm } from '../../src/domain/signatures/signature-form-change.ts';
import { updateSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import { signDocument } from '../../src/domain/signing/sign.ts';
import { actAs, type SeedSite } from './site.ts';

/** In signing order. */
const SIGNERS = ['ines', 'owner'] as const;

/** Has a document signed by two people, one after the other, and sealed. */
export async function makeSealed(site: SeedSite, documentId: string): Promise<void> {
  const ctx = await actAs(site, 'ines');
  const { id: sessionId } = await updateSignatureSession(ctx, {
    documentId,
    recipients: SIGNERS.map((person, index) => ({
      rank: index + 1,
      email: site.people[person].email,
      fullName: site.people[person].name,
    })),
  });
  const { id: formId } = await ensureSignatureForm(ctx, { documentId });
  await addSignatureFields(ctx, {
    formId,
    fields: SIGNERS.flatMap((_, index) => {
      const position = { pageIndex: 0, x: 11 + 42 * index, recipientRank: index + 1 };
      return [
        { ...position, type: 'SIGNATURE' as const, y: 70 },
        { ...position, type: 'FULL_NAME' as const, y: 76.5 },
        { ...position, type: 'DATE' as const, y: 78.5 },
      ];
    }),
  });
  await updateSignatureSession(ctx, { documentId, begin: true });
  for (const person of SIGNERS) await signAs(site, person, sessionId);
  await sealSession(site, sessionId);
}

async function signAs(site: SeedSite, person: (typeof SIGNERS)[number], sessionId: string): Promise<void> {
  const { id: userId, name } = site.people[person];
  const { id: recipientId, fields } = await site.db.prisma.signatureRecipient.findFirstOrThrow({
    where: { sessionId, userId },
    include: { fields: { where: { type: 'SIGNATURE' } } },
  });
  await signDocument(await actAs(site, person), {
    sessionId,
    recipientId,
    values: fields.map((field) => ({ fieldId: field.id, value: name })),
  });
}
