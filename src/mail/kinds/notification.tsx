import { approvalPath, findWaitingApproval } from '../../domain/approvals/approval-page.ts';
import type { NotificationKind } from '../../domain/notifications/notification-kind.ts';
import {
  findUnreadNotification,
  type MailedNotification,
} from '../../domain/notifications/notification-mail.ts';
import { stopUrl } from '../../domain/notifications/notification-preference.ts';
import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { Button, Heading, Message, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** What the heading and the subject say before the name. */
export const TITLES: Record<NotificationKind, string> = {
  TASK_ASSIGNED: 'A task for you',
  TASK_DUE: 'Due soon',
  TASK_OVERDUE: 'Overdue',
  APPROVAL_REQUESTED: 'Your approval is asked for',
  APPROVAL_OVERDUE: 'An approval is overdue',
  SIGNATURE_REQUESTED: 'Your signature is asked for',
  MENTIONED: 'You were mentioned',
  APPROVAL_DECIDED: 'An answer to your request',
  SIGNING_PROGRESSED: 'A signing of yours',
  FOLLOWED: 'Changes of what you follow or are a stakeholder of',
};

/** What is said where the server itself tells. */
const SERVER_TEXTS: Partial<Record<NotificationKind, string>> = {
  TASK_DUE: 'Your task waits.',
  TASK_OVERDUE: 'The task is still open.',
  APPROVAL_OVERDUE: 'The approval was not decided in time.',
};

/** What the person did, by kind of the event, or else of the notification. */
const ACTS: Record<string, string> = {
  TASK_ASSIGNED: 'has assigned the task to you.',
  APPROVAL_REQUESTED: 'asks for your approval.',
  SIGNATURE_REQUESTED: 'asks for your signature.',
  MENTIONED: 'has mentioned you in a comment.',
  'approval.approved': 'has approved it.',
  'approval.denied': 'has denied it.',
  'approval.declined': 'has declined to decide.',
  'document.signed': 'has signed it.',
  'document.signatureDeclined': 'has declined to sign it.',
  'document.signingCompleted': 'was the last to sign it.',
};

const actOf = ({ eventKind, kind }: MailedNotification): string =>
  ACTS[eventKind] ?? ACTS[kind] ?? 'has changed it.';

/** One sentence on what happened. */
export const Act = ({ of }: { of: MailedNotification }) => (
  <>
    {SERVER_TEXTS[of.kind] ?? (
      <>
        {of.actorName ? <Name of={of.actorName} /> : 'Somebody'} {actOf(of)}
      </>
    )}
  </>
);

/** Kinds whose mail leads to the page on which their reader decides, if it waits for them. */
const ABOUT_APPROVALS: ReadonlySet<NotificationKind> = new Set(['APPROVAL_REQUESTED', 'APPROVAL_OVERDUE']);

/** To a person who wants notifications of this kind by mail, unless they have read it or do not see it any more. */
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
    subject: `${TITLES[kind]}: ${isolatedName(name)}`,
    replyTo: actorEmail ?? undefined,
    threadId: unread.subjectId,
    unsubscribeUrl: stopUrl(storage, { userId, kind }),
    body: (
      <>
        <Heading>
          {TITLES[kind]}: <Name of={name} />
        </Heading>
        <Paragraph>
          <Act of={unread} />{' '}
          {unread.dueAt &&
            `It is due on ${unread.dueAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC). `}
          In <Name of={organizationName} />.
        </Paragraph>
        {approvalId && (
          <Button href={storage.signedUrls.page(approvalPath(approvalId))}>Read and decide</Button>
        )}
        {text && <Message from={actorEmail ?? 'somebody'} text={text} />}
      </>
    ),
    reason: 'You get this mail because it concerns you, and you have not read the notification yet.',
  };
};
