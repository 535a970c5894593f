/** Bytes of the buffer in which answers are collected. A longer one is given back after its answer. */
const BUFFER = 2 ** 20;

/**
 * Returns a function that runs messages of PostgreSQL's protocol up to a Sync, and returns a copy of the answer. It streams,
 * because execProtocolRawSync of PGlite also parses each answer, which takes several times as long as the statement, and
 * keeps all of their rows.
 * @param {Pick<import('@electric-sql/pglite').PGlite, 'execProtocolRawStream'>} pglite
 * @returns {(messages: Uint8Array) => Uint8Array}
 */
export function protocolOf(pglite) {
  let buffer = new Uint8Array(BUFFER);
  let length = 0;
  /** @param {Uint8Array} bytes of PGlite's memory, which it uses again */
  const onRawData = (bytes) => {
    if (length + bytes.length > buffer.length) buffer = enlarged(buffer, length + bytes.length);
    buffer.set(bytes, length);
    length += bytes.length;
  };
  return (messages) => {
    length = 0;
    // Runs before it returns; only syncing the files would be asynchronous. A rejection ends the thread.
    void pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData });
    const answer = buffer.slice(0, length);
    if (buffer.length > BUFFER) buffer = new Uint8Array(BUFFER);
    return answer;
  };
}

/** @param {Uint8Array} buffer @param {number} needed */
function enlarged(buffer, needed) {
  const larger = new Uint8Array(Math.max(2 * buffer.length, needed));
  larger.set(buffer);
  return larger;
}
