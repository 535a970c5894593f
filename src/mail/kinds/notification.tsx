import type { NotificationKind } from '../../domain/notifications/notification-kind.ts';
import {
  findUnreadNotification,
  type MailedNotification,
} from '../../domain/notifications/notification-mail.ts';
import { stopUrl } from '../../domain/notifications/notification-preference.ts';
import { viewerOfUser } from '../../domain/users/viewer-of-user.ts';
import { Heading, Message, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** What the heading and the subject say before the name. */
const TITLES: Record<NotificationKind, string> = {
  TASK_ASSIGNED: 'A task for you',
  TASK_DUE: 'Due soon',
  APPROVAL_REQUESTED: 'Your approval is asked for',
  SIGNATURE_REQUESTED: 'Your signature is asked for',
  MENTIONED: 'You were mentioned',
  APPROVAL_DECIDED: 'An answer to your request',
  SIGNING_PROGRESSED: 'A signing of yours',
  FOLLOWED: 'Changes of what you follow',
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

/** To a person who wants notifications of this kind by mail, unless they have read it or do not see it any more. */
export const notification: Template = async ({ db, storage }, { toUserId, organizationId, subjectId }) => {
  const userId = toUserId ?? '';
  const viewer = await viewerOfUser(db, userId, organizationId);
  const found = await findUnreadNotification(db, viewer, subjectId ?? '');
  if (!found) return undefined;
  const { kind, name, organizationName, actorName, actorEmail, text } = found;
  return {
    subject: `${TITLES[kind]}: ${isolatedName(name)}`,
    replyTo: actorEmail ?? undefined,
    threadId: found.subjectId,
    unsubscribeUrl: stopUrl(storage, { userId, kind }),
    body: (
      <>
        <Heading>
          {TITLES[kind]}: <Name of={name} />
        </Heading>
        <Paragraph>
          {kind === 'TASK_DUE' ? (
            'Your task waits.'
          ) : (
            <>
              {actorName ? <Name of={actorName} /> : 'Somebody'} {actOf(found)}
            </>
          )}{' '}
          {found.dueAt &&
            `It is due on ${found.dueAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC). `}
          In <Name of={organizationName} />.
        </Paragraph>
        {text && <Message from={actorEmail ?? 'somebody'} text={text} />}
      </>
    ),
    reason: 'You get this mail because it concerns you, and you have not read the notification yet.',
  };
};
