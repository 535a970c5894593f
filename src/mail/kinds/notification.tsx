import { approvalPath, findWaitingApproval } from '../../domain/approvals/approval-page.ts';
import type { NotificationKind } from '../../domain/notifications/notification-kind.ts';
import {
  findUnreadNotification,
  type MailedNotification,
} from '../../domain/notifications/notification-mail.ts';
import { stopUrl } from '../../domain/notifications/notification-preference.ts';
import {
  inboxPath,
  NOTIFICATION_TITLES,
  whatHappened,
} from '../../domain/notifications/notification-text.ts';
import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { Button, Heading, Message, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** One sentence on what happened. */
export const Act = ({ of }: { of: MailedNotification }) => {
  const happened = whatHappened(of);
  if ('sentence' in happened) return <>{happened.sentence}</>;
  return (
    <>
      {of.actorName ? <Name of={of.actorName} /> : 'Somebody'} {happened.act}
    </>
  );
};

/** Kinds whose mail leads to the page on which their reader decides, if it waits for them. */
const ABOUT_APPROVALS: ReadonlySet<NotificationKind> = new Set(['APPROVAL_REQUESTED', 'APPROVAL_OVERDUE']);

/** To a person who wants notifications of this kind by mail, unless they have read it, do not see it any more, or it is done. */
export const notification: Template = async ({ db, storage }, { toUserId, organizationId, subjectId }) => {
  const userId = toUserId ?? '';
  const viewer = await viewerOfRecipient(db, userId, organizationId);
  const unread = await findUnreadNotification(db, viewer, subjectId ?? '');
  if (!unread) return undefined;
  const { kind, name, organizationName, actorEmail, text } = unread;
  const approvalId = ABOUT_APPROVALS.has(kind)
    ? await findWaitingApproval(db, viewer, unread.subjectId)
    : undefined;
  return {
    subject: `${NOTIFICATION_TITLES[kind]}: ${isolatedName(name)}`,
    replyTo: actorEmail ?? undefined,
    threadId: unread.subjectId,
    unsubscribeUrl: stopUrl(storage, { userId, kind }),
    body: (
      <>
        <Heading>
          {NOTIFICATION_TITLES[kind]}: <Name of={name} />
        </Heading>
        <Paragraph>
          <Act of={unread} />{' '}
          {unread.inPlaceOf && (
            <>
              You decide in place of <Name of={unread.inPlaceOf} />.{' '}
            </>
          )}
          {unread.dueAt &&
            `It is due on ${unread.dueAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC). `}
          In <Name of={organizationName} />.
        </Paragraph>
        {approvalId ? (
          <Button href={storage.signedUrls.page(approvalPath(approvalId))}>Read and decide</Button>
        ) : (
          <Button href={storage.signedUrls.page(inboxPath(subjectId ?? undefined))}>Open it</Button>
        )}
        {text && <Message from={actorEmail ?? 'somebody'} text={text} />}
      </>
    ),
    reason: 'You get this mail because it concerns you, and you have not read the notification yet.',
  };
};
