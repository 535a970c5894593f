/** The work was not done, for a reason that passes: the same request may succeed later. The text is meant for the caller. */
export class TryLater extends Error {
  /** `retryAfter`: seconds after which another try is sensible. */
  constructor(
    publicText: string,
    readonly retryAfter: number,
  ) {
    super(publicText);
  }
}
