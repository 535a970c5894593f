/** Why a person is notified. Stored, and values of the enum NotificationKind in the graph. */
export type NotificationKind =
  | 'TASK_ASSIGNED'
  | 'TASK_DUE'
  | 'TASK_OVERDUE'
  | 'APPROVAL_REQUESTED'
  | 'APPROVAL_OVERDUE'
  | 'SIGNATURE_REQUESTED'
  | 'MENTIONED'
  | 'APPROVAL_DECIDED'
  | 'SIGNING_PROGRESSED'
  | 'FOLLOWED';

/** Kinds that ask the person to do something. They are stored longer than others. */
export const REQUEST_KINDS: readonly NotificationKind[] = [
  ...(['TASK_ASSIGNED', 'TASK_DUE', 'TASK_OVERDUE', 'APPROVAL_REQUESTED', 'APPROVAL_OVERDUE'] as const),
  'SIGNATURE_REQUESTED',
];

/** Of several reasons for one event, the first one counts. */
export const NOTIFICATION_KINDS: readonly NotificationKind[] = [
  ...REQUEST_KINDS,
  ...(['MENTIONED', 'APPROVAL_DECIDED', 'SIGNING_PROGRESSED', 'FOLLOWED'] as const),
];

const of = (noun: string, verbs: string): string[] => verbs.split(' ').map((verb) => `${noun}.${verb}`);

/** The events that followers are notified of. Others are details of work that one of these ends. */
export const FOLLOWED_EVENTS = [
  ...of('document', 'created updated revised moved recycled restored commented processStarted processEnded'),
  ...of('document', 'signingBegan signed signatureDeclined signingCompleted signingStopped sealed'),
  ...of('task', 'created updated assigned completed denied reopened commented processStarted processEnded'),
  ...of('folder', 'created updated moved'),
  'project.updated',
];

export const COMMENT_EVENTS = ['document.commented', 'task.commented'];
export const DECISION_EVENTS = of('approval', 'approved denied declined');
export const SIGNING_EVENTS = of('document', 'signed signatureDeclined signingCompleted signingStopped');
