import type { SignatureRecipientState, SignatureSessionState } from '../../generated/prisma/client.ts';

export interface Signer {
  id: string;
  /** Lower ranks sign first; equal ranks at the same time. */
  rank: number;
  state: SignatureRecipientState;
}

/** A session as the state machine sees it. */
export interface SessionProgress {
  state: SignatureSessionState;
  signers: readonly Signer[];
}

export type SessionVerb = 'SAVE' | 'BEGIN' | 'STOP' | 'RESET';

export type SignerVerb = 'SIGN' | 'DECLINE';

export type SessionAction = { verb: SessionVerb } | { verb: SignerVerb; by: string };

/** Returns the session after an action, undefined if its state does not allow the action. Pure. */
export function transition(session: SessionProgress, action: SessionAction): SessionProgress | undefined {
  const { state } = session;
  switch (action.verb) {
    case 'SAVE':
      return state === 'DRAFT' ? session : undefined;
    case 'BEGIN':
      return state === 'DRAFT' && session.signers.length > 0 ? requestNextRank(session) : undefined;
    case 'STOP':
      return state === 'ACTIVE' ? { ...session, state: 'STOPPED' } : undefined;
    case 'RESET':
      return reset(session);
    default:
      return applySignerAction(session, action.verb, action.by);
  }
}

/** A reset stops an active session, keeps drafts and stopped ones, and is not allowed once completed. */
function reset(session: SessionProgress): SessionProgress | undefined {
  if (session.state === 'COMPLETED') return undefined;
  return session.state === 'ACTIVE' ? { ...session, state: 'STOPPED' } : session;
}

function applySignerAction(
  session: SessionProgress,
  verb: SignerVerb,
  by: string,
): SessionProgress | undefined {
  const isRequested = session.signers.some(({ id, state }) => id === by && state === 'REQUESTED');
  if (session.state !== 'ACTIVE' || !isRequested) return undefined;
  const answer = verb === 'SIGN' ? 'COMPLETED' : 'DECLINED';
  const signers = session.signers.map(
    (each) => (each.id === by ? { ...each, state: answer } : each) as Signer,
  );
  if (verb === 'DECLINE') return { state: 'STOPPED', signers };
  return signers.some(({ state }) => state === 'REQUESTED')
    ? { state: 'ACTIVE', signers }
    : requestNextRank({ ...session, signers });
}

/** Requests the signatures of the lowest waiting rank; the session is completed when nobody waits. */
function requestNextRank({ signers }: SessionProgress): SessionProgress {
  const waiting = signers.filter(({ state }) => state === 'WAITING');
  const next = Math.min(...waiting.map(({ rank }) => rank));
  return {
    state: waiting.length > 0 ? 'ACTIVE' : 'COMPLETED',
    signers: signers.map((each) =>
      each.state === 'WAITING' && each.rank === next ? { ...each, state: 'REQUESTED' } : each,
    ),
  };
}
