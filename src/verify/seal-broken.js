// Plain JavaScript, for servers and browsers.

/** The file is not sealed, or was changed; the message says why. */
export class SealBroken extends Error {}

/** A file that this server did not seal, whether another program signed it or not. */
export class NotSealed extends SealBroken {}

/** Another program added to a sealed file, which may look otherwise since. `intact`: bytes of the file as it was sealed and time-stamped. */
export class SealExtended extends SealBroken {
  /** @param {number} intact @param {number} length */
  constructor(intact, length) {
    super(
      `the signature does not cover the whole file: another program added ${length - intact} bytes after the first ${intact}`,
    );
    this.intact = intact;
  }
}
