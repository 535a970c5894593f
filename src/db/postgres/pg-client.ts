import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** What takes the answers of a connection while it runs there (PostgreSQL, Message Formats). */
export interface ResultHandler {
  /** A DataRow: `at` is where its column count stands in `bytes`, which nobody writes to any more. */
  onRow(bytes: Buffer, at: number): void;
  /** CommandComplete. */
  onCommandComplete(connection: Connection): void;
}

/** The parts of node-postgres' connection that are used here. */
export interface Connection {
  stream: Duplex;
  parsedStatements: Record<string, string | undefined>;
  resultHandler?: ResultHandler;
}

type Attachable = Connection & { attachListeners(stream: Pick<EventEmitter, 'on'>): void };

/**
 * A client of node-postgres that hands answers on as they came, to who takes them so: rows that are read by nobody cost
 * nothing, and what comes with each statement costs no event.
 */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Attachable };
    const attach = connection.attachListeners;
    connection.attachListeners = (stream) => attach.call(connection, withoutTaken(stream, connection));
  }
}

const DATA_ROW = 'D'.charCodeAt(0);
const BIND_COMPLETE = '2'.charCodeAt(0);
const COMMAND_COMPLETE = 'C'.charCodeAt(0);
/** The type of a message and its length, which counts itself but not the type. */
const HEADER = 5;

/** What a stream brings, but for what someone takes. */
function withoutTaken(stream: Pick<EventEmitter, 'on'>, connection: Connection): EventEmitter {
  const others = new EventEmitter();
  let rest: Buffer | undefined;
  stream.on('end', () => others.emit('end'));
  stream.on('data', (chunk: Buffer) => {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
    const end = takeApart(bytes, connection, others);
    rest = end < bytes.length ? bytes.subarray(end) : undefined;
  });
  return others;
}

/** Returns where the first message begins that is not there as a whole. */
function takeApart(bytes: Buffer, connection: Connection, others: EventEmitter): number {
  let passed = 0;
  let at = 0;
  const pass = () => {
    if (passed < at) others.emit('data', bytes.subarray(passed, at));
  };
  while (at + HEADER <= bytes.length) {
    const next = at + 1 + bytes.readUInt32BE(at + 1);
    if (next > bytes.length) break;
    const type = bytes[at];
    if (type === DATA_ROW || type === BIND_COMPLETE || type === COMMAND_COMPLETE) {
      // Who takes it is known once all before it was told.
      pass();
      passed = at;
      const { resultHandler: taker } = connection;
      if (taker) {
        if (type === DATA_ROW) taker.onRow(bytes, at + HEADER);
        else if (type === COMMAND_COMPLETE) taker.onCommandComplete(connection);
        passed = next;
      }
    }
    at = next;
  }
  pass();
  return at;
}
