import type { NotificationKind } from './notification-kind.ts';

/** What a mail and the inbox say of a notification, before the name of what it is about. */
export const NOTIFICATION_TITLES: Record<NotificationKind, string> = {
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

/** The whole sentence, where the server notifies by itself. */
const SERVER_TEXTS: Partial<Record<NotificationKind, string>> = {
  TASK_DUE: 'Your task waits.',
  TASK_OVERDUE: 'The task is still open.',
  APPROVAL_OVERDUE: 'The approval was not decided in time.',
};

/** What a person wants from the reader, unless the event was an answer that led to it. */
const REQUESTS: Partial<Record<NotificationKind, string>> = {
  TASK_ASSIGNED: 'has assigned the task to you.',
  APPROVAL_REQUESTED: 'asks for your approval.',
  SIGNATURE_REQUESTED: 'asks for your signature.',
};

const ANSWERS: Record<string, string> = {
  'approval.approved': 'has approved it.',
  'approval.denied': 'has denied it.',
  'approval.declined': 'has declined to decide.',
  'document.signed': 'has signed it.',
  'document.signatureDeclined': 'has declined to sign it.',
  'document.signingCompleted': 'was the last to sign it.',
};

/** What a person did with what is followed, or with something in it, by the verb of the event. */
const CHANGES: Record<string, string> = {
  created: 'has created',
  revised: 'has uploaded a revision of',
  moved: 'has moved',
  recycled: 'has recycled',
  restored: 'has restored',
  commented: 'has commented on',
  processStarted: 'has started a process on',
  processEnded: 'has ended a process on',
  signingBegan: 'has requested signatures of',
  signed: 'has signed',
  signatureDeclined: 'has declined to sign',
  signingCompleted: 'was the last to sign',
  signingStopped: 'has stopped the signing of',
  assigned: 'has assigned',
  completed: 'has completed',
  denied: 'has denied',
  reopened: 'has reopened',
};

/** The page that leads to what a notification is about, and marks it as read; without an id, the inbox. */
export const inboxPath = (notificationId?: string): string =>
  `/console/inbox${notificationId ? `/${notificationId}` : ''}`;

export interface NotifiedEvent {
  kind: NotificationKind;
  eventKind: string;
  /** Whether the event is about the subject of the notification itself, and not about something in it. */
  isOfSubject: boolean;
  /** Whether the server has done it by itself. */
  isByServer: boolean;
}

/** What happened: a whole sentence, or the rest of one that begins with the name of who did it. */
export function whatHappened(event: NotifiedEvent): { sentence: string } | { act: string } {
  const { kind, eventKind } = event;
  const sentence = SERVER_TEXTS[kind];
  if (sentence) return { sentence };
  if (eventKind === 'document.sealed') return { sentence: 'The signed document was sealed.' };
  if (eventKind === 'approval.escalated')
    return { sentence: 'The approval was not decided in time, and you can decide it now.' };
  if (kind === 'APPROVAL_DECIDED' && event.isByServer)
    return { sentence: 'It was not decided in time, and is declined.' };
  if (kind === 'MENTIONED') return { act: 'has mentioned you in a comment.' };
  if (kind === 'FOLLOWED') return { act: changeOf(event) };
  return { act: ANSWERS[eventKind] ?? REQUESTS[kind] ?? 'has changed it.' };
}

function changeOf({ eventKind, isOfSubject }: NotifiedEvent): string {
  const [noun = '', verb = ''] = eventKind.split('.');
  return `${CHANGES[verb] ?? 'has changed'} ${isOfSubject ? 'it' : `a ${noun}`}.`;
}
