import type { X509Certificate } from 'node:crypto';
import type { CheckedSeal } from '../../pdf/seal/check-seal.ts';
import { checkToken, StampBroken } from '../../timestamp/token.ts';

/** Checks the time-stamp of a seal, if it has one. `authorities`: see checkEvidence. */
export function checkSealStamp(
  { timeStamp }: CheckedSeal,
  authorities: readonly X509Certificate[],
): { errors: string[]; summary: string[] } {
  if (!timeStamp) return { errors: [], summary: [] };
  try {
    const stamp = checkToken(timeStamp.token, timeStamp.digest, authorities);
    if (authorities.length > 0 && !stamp.isTrusted)
      return fault('The time-stamp of the seal is not by an authority under the given certificate.');
    const time = stamp.time.toISOString();
    const by = `${stamp.authority} (SHA-256 ${stamp.certificate.fingerprint256})`;
    return { errors: [], summary: [`Sealed before ${time}, by the time-stamp of ${by}.`] };
  } catch (error) {
    if (!(error instanceof StampBroken)) throw error;
    return fault(`The time-stamp of the seal ${error.message}.`);
  }
}

const fault = (text: string) => ({ errors: [text], summary: [] });
