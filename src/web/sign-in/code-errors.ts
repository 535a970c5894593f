import type { CodeFailure, TypedCode } from '../../auth/second-factor.ts';
import { waitText } from '../ui/responses.ts';
import type { CodeErrors } from './second-factor-view.tsx';

const WRONG = {
  code: 'This code is wrong, or was used already. Wait for the next one.',
  recoveryCode: 'This is none of your unused recovery codes.',
};

export const PASSKEY_REFUSED = 'The answer of the passkey is not valid. Try again.';

/** How a page shows that a code was refused. `wait`: ms until the next attempt, 0 if it may be at once. */
export const codeErrorsOf = (
  { kind }: TypedCode,
  failure: CodeFailure,
): { errors: CodeErrors; wait: number } => {
  const wait = 'wait' in failure ? failure.wait : 0;
  return { errors: { [kind]: wait > 0 ? waitText(wait) : WRONG[kind] }, wait };
};
