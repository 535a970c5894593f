import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** What takes the rows of a connection while it runs there. */
export interface RowTaker {
  /** A DataRow message (PostgreSQL, Message Formats): `at` is where its column count stands in `bytes`, which nobody writes to any more. */
  takeRow(bytes: Buffer, at: number): void;
}

/** The parts of node-postgres' connection that are used here. */
export interface Connection {
  stream: Duplex;
  parsedStatements: Record<string, string | undefined>;
  rowTaker?: RowTaker;
}

type Attachable = Connection & { attachListeners(stream: Pick<EventEmitter, 'on'>): void };

/** A client of node-postgres that hands rows on as they came, to who takes them so: read by nobody, they cost nothing. */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Attachable };
    const attach = connection.attachListeners;
    connection.attachListeners = (stream) => attach.call(connection, withoutRows(stream, connection));
  }
}

const DATA_ROW = 'D'.charCodeAt(0);
/** The type of a message and its length, which counts itself but not the type. */
const HEADER = 5;

/** What a stream brings, but for the rows that someone takes. */
function withoutRows(stream: Pick<EventEmitter, 'on'>, connection: Connection): EventEmitter {
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
    if (bytes[at] === DATA_ROW) {
      // Who takes rows is known once all before them was told.
      pass();
      passed = at;
      if (connection.rowTaker) {
        connection.rowTaker.takeRow(bytes, at + HEADER);
        passed = next;
      }
    }
    at = next;
  }
  pass();
  return at;
}
