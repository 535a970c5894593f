import type {
  ConsoleSessionFragment,
  SignatureRecipientState,
  SignatureSessionState,
  SignatureStopReason,
} from '../../../generated/operations/graphql.ts';

interface StateText {
  text: string;
  tone?: 'good' | 'bad';
}

const SESSIONS: Record<SignatureSessionState, StateText> = {
  DRAFT: { text: 'Draft' },
  ACTIVE: { text: 'Being signed' },
  COMPLETED: { text: 'Signed', tone: 'good' },
  STOPPED: { text: 'Stopped', tone: 'bad' },
};

/** The state of a session for people; once all have signed, that of the signed file. */
export function sessionText({
  state,
  sealing,
}: Pick<ConsoleSessionFragment, 'state' | 'sealing'>): StateText {
  if (sealing.state === 'FAILED') return { text: 'Signed, not sealed', tone: 'bad' };
  if (state === 'COMPLETED' && sealing.state === 'PENDING') return { text: 'Signed, being sealed' };
  return SESSIONS[state];
}

export const STOP_REASONS: Record<SignatureStopReason, string> = {
  DECLINED: 'A signer declined.',
  EXPIRED: 'Its time had passed before everyone had signed.',
  SENDER: 'An editor of the project stopped it.',
  WITHDRAWN: 'The document was recycled.',
};

export const SIGNER_TEXTS: Record<SignatureRecipientState, StateText> = {
  WAITING: { text: 'Not their turn yet' },
  REQUESTED: { text: 'Asked to sign' },
  COMPLETED: { text: 'Signed', tone: 'good' },
  DECLINED: { text: 'Declined', tone: 'bad' },
};
