import { signingPage } from '../../domain/signatures/signature-link.ts';
import { findAwaitedSigning } from '../../domain/signatures/signature-mail.ts';
import { stopRemindersUrl } from '../../domain/signatures/signature-reminder-stop.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** To a signer who has not answered a request. */
export const signatureReminder: Template = async ({ db, storage }, { subjectId, createdById }) => {
  const signing = await findAwaitedSigning(db, subjectId ?? '', createdById);
  if (!signing || signing.remindersOffAt) return undefined;
  return {
    subject: `Reminder: please sign ${isolatedName(signing.documentName)}`,
    replyTo: signing.senderEmail,
    threadId: signing.sessionId,
    unsubscribeUrl: stopRemindersUrl(storage, signing.id),
    unsubscribeText: 'Stop reminders of this document',
    body: (
      <>
        <Heading>
          <Name of={signing.documentName} /> waits for your signature
        </Heading>
        <Paragraph>
          <Name of={signing.senderName} /> (<bdi>{signing.senderEmail}</bdi>) of{' '}
          <Name of={signing.organizationName} /> asked for it on{' '}
          {signing.requestedAt.toISOString().slice(0, 10)}.
        </Paragraph>
        <Button href={signingPage(storage, signing)}>Read and sign</Button>
        <Paragraph>
          On that page you can also decline; then no reminder follows.{' '}
          {signing.usesAccessCode && 'It asks for the access code that the sender gave you. '}
          You can sign until {signing.endsAt.toISOString().slice(0, 16).replace('T', ' ')} (UTC).
        </Paragraph>
      </>
    ),
    reason:
      'You get this mail because someone asks for your signature. The link is yours alone: whoever has it signs as you. If you do not know the sender, ignore the mail.',
  };
};
