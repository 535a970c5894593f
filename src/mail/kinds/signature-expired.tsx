import { findExpiredSession } from '../../domain/signatures/signature-mail.ts';
import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { shownEmail } from '../../lib/text/shown-email.ts';
import { Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** Signers that the mail names. */
const MAX_SIGNERS = 20;

/** To who sent a document, when the time to sign it has ended. */
export const signatureExpired: Template = async ({ db }, mail) => {
  const viewer = await viewerOfRecipient(db, mail.toUserId ?? '', mail.organizationId);
  const session = await findExpiredSession(db, viewer, mail.subjectId ?? '');
  if (!session) return undefined;
  const { sessionId, documentName, missing } = session;
  const further = missing.length - MAX_SIGNERS;
  return {
    subject: `Not signed in time: ${isolatedName(documentName)}`,
    threadId: sessionId,
    body: (
      <>
        <Heading>
          The time to sign <Name of={documentName} /> has ended
        </Heading>
        <Paragraph>The signing session was stopped for all signers. These have not signed:</Paragraph>
        <ul style="margin:0 0 16px;padding:0 0 0 20px;">
          {missing.slice(0, MAX_SIGNERS).map(({ email, fullName }) => (
            <li>
              <Name of={fullName} /> (<bdi>{shownEmail(email)}</bdi>)
            </li>
          ))}
          {further > 0 && <li>and {further} more</li>}
        </ul>
        <Paragraph>To ask them again, reset the session of the document and begin it anew.</Paragraph>
      </>
    ),
    reason: 'You get this mail because you asked for the signatures.',
  };
};
