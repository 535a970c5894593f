import { findSentSession } from '../../domain/signatures/signature-mail.ts';
import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { Heading, Message, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** To who sent a document, when a signer has declined. */
export const signatureDeclined: Template = async ({ db }, mail) => {
  const { recipientId } = mail.data as { recipientId: string };
  const viewer = await viewerOfRecipient(db, mail.toUserId ?? '', mail.organizationId);
  const session = await findSentSession(db, viewer, mail.subjectId ?? '', recipientId);
  if (!session) return undefined;
  const { sessionId, documentName, signerName, signerEmail, declinedReason } = session;
  return {
    subject: `Declined to sign: ${isolatedName(documentName)}`,
    replyTo: signerEmail,
    threadId: sessionId,
    body: (
      <>
        <Heading>
          <Name of={signerName} /> has declined to sign
        </Heading>
        <Paragraph>
          <Name of={signerName} /> (<bdi>{signerEmail}</bdi>) does not sign <Name of={documentName} />. The
          signing session was stopped for all signers.
        </Paragraph>
        {declinedReason && <Message from={signerEmail} text={declinedReason} />}
      </>
    ),
    reason: 'You get this mail because you asked for the signature.',
  };
};
