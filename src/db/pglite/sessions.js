import { serialize } from 'pg-protocol';

/** Bytes of ReadyForQuery, which ends each answer: type, length, and the state of the transaction. */
const READY_FOR_QUERY = 6;
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

/** @param {string} prefix of the names that a connection has given to its prepared statements */
const deallocate = (prefix) => `DO $$ DECLARE statement text; BEGIN
  FOR statement IN SELECT name FROM pg_prepared_statements WHERE starts_with(name, '${prefix}')
  LOOP EXECUTE format('DEALLOCATE %I', statement); END LOOP; END $$`;

/**
 * Shares the one session of the embedded database between connections. A connection has it for each of its messages, and
 * while it has a transaction open; the messages of others wait.
 */
export class Sessions {
  #execute;
  #reply;
  /** @type {number | undefined} the connection with an open transaction */
  #owner;
  /** @type {{ id: number, bytes: Uint8Array }[]} */
  #waiting = [];

  /**
   * @param {(id: number, bytes: Uint8Array) => Uint8Array} execute Runs messages of the protocol up to a Sync, and returns the answer.
   * @param {(id: number, bytes: Uint8Array) => void} reply
   */
  constructor(execute, reply) {
    this.#execute = execute;
    this.#reply = reply;
  }

  /** @param {number} id @param {Uint8Array} bytes */
  run(id, bytes) {
    if (this.#owner !== undefined && this.#owner !== id) this.#waiting.push({ id, bytes });
    else this.#runNow(id, bytes);
    this.#runWaiting();
  }

  /**
   * Rolls back what the connection has left open, and forgets its prepared statements.
   * @param {number} id
   * @param {string} prefix of their names
   */
  close(id, prefix) {
    this.#waiting = this.#waiting.filter((each) => each.id !== id);
    if (this.#owner === id) this.#runNow(id, serialize.query('ROLLBACK'));
    this.run(id, serialize.query(deallocate(prefix)));
  }

  #runWaiting() {
    while (this.#owner === undefined) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#runNow(next.id, next.bytes);
    }
  }

  /** @param {number} id @param {Uint8Array} bytes */
  #runNow(id, bytes) {
    const answer = this.#execute(id, bytes);
    if (answer.at(-READY_FOR_QUERY) !== READY)
      throw new Error('The embedded database did not finish its answer.');
    this.#owner = answer.at(-1) === IDLE ? undefined : id;
    this.#reply(id, answer);
  }
}
