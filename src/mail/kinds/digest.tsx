import { findDigest } from '../../domain/notifications/digest.ts';
import { stopUrl } from '../../domain/notifications/notification-preference.ts';
import { inboxPath, NOTIFICATION_TITLES } from '../../domain/notifications/notification-text.ts';
import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { Act } from './notification.tsx';

/** To a person who wants notifications in one mail a day: those that they have not read and still see. */
export const digest: Template = async ({ db, storage }, { toUserId, data }) => {
  const userId = toUserId ?? '';
  const viewer = await viewerOfRecipient(db, userId, 'digest');
  const { listed, total } = await findDigest(db, viewer, (data as { at: string }).at);
  if (total === 0) return undefined;
  const title = `${total} new ${total === 1 ? 'notification' : 'notifications'}`;
  return {
    subject: `Your day in Docgraph: ${title}`,
    unsubscribeUrl: stopUrl(storage, { userId, kind: 'DIGEST' }),
    unsubscribeText: 'Stop daily mails',
    body: (
      <>
        <Heading>{title}</Heading>
        <ul style="margin:0 0 16px;padding:0 0 0 20px;">
          {listed.map((each) => (
            <li style="margin:0 0 12px;">
              {NOTIFICATION_TITLES[each.kind]}: <Name of={each.name} />. <Act of={each} /> In{' '}
              <Name of={each.organizationName} />.
            </li>
          ))}
        </ul>
        {total > listed.length && <Paragraph>And {total - listed.length} more.</Paragraph>}
        <Button href={storage.signedUrls.page(inboxPath())}>Open your inbox</Button>
      </>
    ),
    reason: 'You get this mail once a day, if there is something that you have not read.',
  };
};
