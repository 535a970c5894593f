import type { StampedToken, TimeStamper } from '../../timestamp/authority.ts';

export interface StampingSite {
  timeStamper?: TimeStamper | undefined;
  /** Told why a seal has no time-stamp. */
  report?: ((error: unknown) => void) | undefined;
}

/** What is stored of the time-stamp of a seal. */
export interface SealTimeStamp {
  time: Date;
  /** The subject of the authority's certificate. */
  authority: string;
}

/**
 * Asks for the time-stamp of one seal; undefined where no authority is configured. An authority that is away does not keep a
 * document from being sealed: `stamp` then gives nothing. `given`: what the token says.
 */
export function stampingOf({ timeStamper, report }: StampingSite) {
  if (!timeStamper) return undefined;
  let stamped: StampedToken | undefined;
  return {
    async stamp(digest: Uint8Array): Promise<Uint8Array | undefined> {
      try {
        stamped = await timeStamper(digest);
        return stamped.token;
      } catch (error) {
        report?.(error);
        return undefined;
      }
    },
    given: (): SealTimeStamp | undefined => stamped && { time: stamped.time, authority: stamped.authority },
  };
}
