import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { findEndedWebhook } from '../../domain/webhooks/webhook-mail.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** To the owner of a webhook that the server has disabled or suspended. */
export const webhookEnded: Template = async ({ db, storage }, mail) => {
  const viewer = await viewerOfRecipient(db, mail.toUserId ?? '', mail.organizationId);
  const webhook = await findEndedWebhook(db, viewer, mail.subjectId ?? '');
  if (!webhook) return undefined;
  const { url, stateReason, organizationId, organizationName } = webhook;
  return {
    subject: `A webhook of ${isolatedName(organizationName)} has ended`,
    threadId: mail.subjectId ?? undefined,
    body: (
      <>
        <Heading>A webhook sends nothing any more</Heading>
        <Paragraph>
          Events of <Name of={organizationName} /> were sent to <Name of={new URL(url).host} />. {stateReason}
        </Paragraph>
        <Paragraph>Once it is switched on again, it sends the events of the meantime.</Paragraph>
        <Button href={storage.signedUrls.page(`/console/${organizationId}/webhooks/${mail.subjectId}`)}>
          See the webhook
        </Button>
      </>
    ),
    reason: 'You get this mail because you created the webhook, or changed it last.',
  };
};
