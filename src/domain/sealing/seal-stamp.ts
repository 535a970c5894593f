import type { Stamp } from '../../pdf/seal/seal.ts';
import type { StampedToken, TimeStamper } from '../../timestamp/authority.ts';
import type { Certificate } from '../../verify/certificate.js';

export interface StampingSite {
  timeStamper?: TimeStamper | undefined;
  /** Roots of time-stamping authorities, which may be missing in their tokens. */
  roots?: readonly Certificate[] | undefined;
  /** Called with the reason why a seal has no time-stamp, or no validation data. */
  report?: ((error: unknown) => void) | undefined;
}

/** What is stored of the time-stamp of a seal. */
export type SealTimeStamp = Pick<StampedToken, 'time' | 'authority'>;

/**
 * Asks for the time-stamp of a seal; undefined where no authority is configured. One that is away does not keep a document
 * from being sealed.
 */
export function stampOf({ timeStamper, report }: StampingSite): Stamp<StampedToken> | undefined {
  if (!timeStamper) return undefined;
  return async (digest) => {
    try {
      return await timeStamper(digest);
    } catch (error) {
      report?.(error);
      return undefined;
    }
  };
}
