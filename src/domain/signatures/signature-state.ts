import type { SignatureRecipientState, SignatureSessionState } from '../../generated/prisma/client.ts';

export interface Signer {
  id: string;
  /** Lower ranks sign first; equal ranks at the same time. */
  rank: number;
  state: SignatureRecipientState;
}

/** A signing session as the state machine sees it. */
export interface SessionProgress {
  state: SignatureSessionState;
  signers: readonly Signer[];
}

export type SessionVerb = 'SAVE' | 'BEGIN' | 'STOP' | 'RESET';

export type SignerVerb = 'SIGN' | 'DECLINE';

export type SessionAction = { verb: SessionVerb } | { verb: SignerVerb; by: string };

/** The session after an action, or undefined where no such transition is drawn; what was passed in stays as it is. */
export function transition(standing: SessionProgress, action: SessionAction): SessionProgress | undefined {
  const { state } = standing;
  switch (action.verb) {
    case 'SAVE':
      return state === 'DRAFT' ? standing : undefined;
    case 'BEGIN':
      return state === 'DRAFT' && standing.signers.length > 0 ? askNext(standing) : undefined;
    case 'STOP':
      return state === 'ACTIVE' ? { ...standing, state: 'STOPPED' } : undefined;
    case 'RESET':
      return reset(standing);
    default:
      return answered(standing, action.verb, action.by);
  }
}

/** A draft is what a reset leads to. Else what began ends, and a new draft takes its place; what was completed stays. */
function reset(standing: SessionProgress): SessionProgress | undefined {
  if (standing.state === 'COMPLETED') return undefined;
  return standing.state === 'ACTIVE' ? { ...standing, state: 'STOPPED' } : standing;
}

function answered(standing: SessionProgress, verb: SignerVerb, by: string): SessionProgress | undefined {
  const asked = standing.signers.some(({ id, state }) => id === by && state === 'REQUESTED');
  if (standing.state !== 'ACTIVE' || !asked) return undefined;
  const said = verb === 'SIGN' ? 'COMPLETED' : 'DECLINED';
  const signers = standing.signers.map(
    (each) => (each.id === by ? { ...each, state: said } : each) as Signer,
  );
  if (verb === 'DECLINE') return { state: 'STOPPED', signers };
  return signers.some(({ state }) => state === 'REQUESTED')
    ? { state: 'ACTIVE', signers }
    : askNext({ ...standing, signers });
}

/** Asks everyone of the lowest rank that waits; when nobody waits, all have signed. */
function askNext({ signers }: SessionProgress): SessionProgress {
  const waiting = signers.filter(({ state }) => state === 'WAITING');
  const next = Math.min(...waiting.map(({ rank }) => rank));
  return {
    state: waiting.length > 0 ? 'ACTIVE' : 'COMPLETED',
    signers: signers.map((each) =>
      each.state === 'WAITING' && each.rank === next ? { ...each, state: 'REQUESTED' } : each,
    ),
  };
}
