import { findSentSession, findUnsealedSigning } from '../../domain/signatures/signature-mail.ts';
import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Letter, Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** To the signers and the sender of a document, when all have signed and it cannot be sealed. */
export const signatureNotSealed: Template = async ({ db }, mail) => {
  const { recipientId } = mail.data as { recipientId: string | null };
  if (recipientId) {
    const signing = await findUnsealedSigning(db, recipientId);
    return (
      signing &&
      letterAbout(signing, {
        replyTo: signing.senderEmail,
        body: (
          <Paragraph>Nothing was made of your signature. Who asked for it knows, and can ask anew.</Paragraph>
        ),
        reason: 'You get this mail because you signed the document.',
      })
    );
  }
  const viewer = await viewerOfRecipient(db, mail.toUserId ?? '', mail.organizationId);
  const session = await findSentSession(db, viewer, mail.subjectId ?? '', null);
  if (!session?.sealingError) return undefined;
  return letterAbout(session, {
    body: <Paragraph>{session.sealingError} The signers were told.</Paragraph>,
    reason: 'You get this mail because you asked for the signatures.',
  });
};

const letterAbout = (
  { sessionId, documentName }: { sessionId: string; documentName: string },
  { body, ...more }: Pick<Letter, 'body' | 'reason' | 'replyTo'>,
): Letter => ({
  ...more,
  subject: `Not sealed: ${isolatedName(documentName)}`,
  threadId: sessionId,
  body: (
    <>
      <Heading>
        <Name of={documentName} /> could not be sealed
      </Heading>
      <Paragraph>All have signed, but there is no sealed document.</Paragraph>
      {body}
    </>
  ),
});
