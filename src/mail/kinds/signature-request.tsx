import { signingPage } from '../../domain/signatures/signature-link.ts';
import { findAwaitedSigning, type MailedSigning } from '../../domain/signatures/signature-mail.ts';
import { Button, Heading, Message, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** To a signer, when it is their turn. */
export const signatureRequest: Template = async ({ db, storage }, { subjectId, createdById }) => {
  const signing = await findAwaitedSigning(db, subjectId ?? '', createdById);
  if (!signing) return undefined;
  return {
    subject: subjectOf(signing),
    replyTo: signing.senderEmail,
    threadId: signing.sessionId,
    body: <Request signing={signing} href={signingPage(storage, signing)} />,
    reason:
      'You get this mail because someone asks for your signature. The link is yours alone: whoever has it signs as you. If you do not know the sender, ignore the mail.',
  };
};

const subjectOf = ({ customSubject, senderName, documentName }: MailedSigning): string =>
  customSubject
    ? `${isolatedName(senderName)}: ${isolatedName(customSubject)}`
    : `Please sign: ${isolatedName(documentName)}`;

const Request = ({ signing, href }: { signing: MailedSigning; href: string }) => (
  <>
    <Heading>
      Please sign <Name of={signing.documentName} />
    </Heading>
    <Paragraph>
      <Name of={signing.senderName} /> (<bdi>{signing.senderEmail}</bdi>) of{' '}
      <Name of={signing.organizationName} /> asks for your signature.
    </Paragraph>
    {signing.customBody && <Message from={signing.senderEmail} text={signing.customBody} />}
    <Button href={href}>Read and sign</Button>
    <Paragraph>
      {signing.usesAccessCode && 'The page asks for the access code that the sender gave you. '}
      You can sign until {signing.endsAt.toISOString().slice(0, 16).replace('T', ' ')} (UTC).
    </Paragraph>
  </>
);
