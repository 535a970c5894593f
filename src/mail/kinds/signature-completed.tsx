import { signingPage } from '../../domain/signatures/signature-link.ts';
import { findCompletedSigning, findSentSession } from '../../domain/signatures/signature-mail.ts';
import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Letter, Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** To the signers and the sender of a document, when it is sealed. */
export const signatureCompleted: Template = async ({ db, storage }, mail) => {
  const { recipientId } = mail.data as { recipientId: string | null };
  if (recipientId) {
    const signing = await findCompletedSigning(db, recipientId);
    return (
      signing &&
      letterAbout(signing, {
        replyTo: signing.senderEmail,
        body: <Button href={signingPage(storage, signing)}>Get your copy</Button>,
        reason: 'You get this mail because you signed the document. The link is yours alone.',
      })
    );
  }
  const viewer = await viewerOfRecipient(db, mail.toUserId ?? '', mail.organizationId);
  const session = await findSentSession(db, viewer, mail.subjectId ?? '', null);
  return (
    session &&
    letterAbout(session, {
      body: <Paragraph>The sealed copy is the newest revision of the document.</Paragraph>,
      reason: 'You get this mail because you asked for the signatures.',
    })
  );
};

const letterAbout = (
  { sessionId, documentName }: { sessionId: string; documentName: string },
  { body, ...more }: Pick<Letter, 'body' | 'reason' | 'replyTo'>,
): Letter => ({
  ...more,
  subject: `Signed by all: ${isolatedName(documentName)}`,
  threadId: sessionId,
  body: (
    <>
      <Heading>
        All have signed <Name of={documentName} />
      </Heading>
      <Paragraph>The document was sealed: a PDF reader shows whether a byte of it changes.</Paragraph>
      {body}
    </>
  ),
});
