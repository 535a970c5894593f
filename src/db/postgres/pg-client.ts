import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** Receives the results of the statements that run on a connection (PostgreSQL, Message Formats). */
export interface ResultHandler {
  /** DataRow: `at` is the offset of its column count in `bytes`, which are not written to any more. */
  /** `end`: offset of the next message. */
  onRow(bytes: Buffer, at: number, end: number): void;
  onCommandComplete(connection: Connection): void;
}

/**
 * Private members of node-postgres' connection, and the handler that is set while a pipeline runs.
 * test/db/postgres/private-parts.test.ts checks that they work as expected; docs/internals/postgres.md says what to do if not.
 */
export interface Connection {
  /** `bytesRead`: of a socket; the embedded database has none. */
  stream: Duplex & { bytesRead?: number };
  /** Text by name of the statements that this connection has parsed. */
  parsedStatements: Record<string, string | undefined>;
  resultHandler?: ResultHandler;
  /** Put before the names of prepared statements, where connections share a session. */
  statementPrefix?: string;
}

type AttachableConnection = Connection & { attachListeners(stream: Pick<EventEmitter, 'on'>): void };

const connectionOf = (client: pg.ClientBase): AttachableConnection =>
  (client as unknown as { connection: AttachableConnection }).connection;

/** Gives the prepared statements of this connection names of their own. */
export const prefixStatements = (client: pg.ClientBase, prefix: string): void => {
  connectionOf(client).statementPrefix = prefix;
};

/** The id of the server process, for pg_cancel_backend. */
export const processIdOf = (client: pg.ClientBase): number =>
  (client as unknown as { processID: number }).processID;

/** Closes the connection at once, where `end` would wait for the server. */
export const destroySocket = (client: pg.ClientBase): void => void connectionOf(client).stream.destroy();

/** Bytes that came on the connection so far. */
export const receivedBytes = (client: pg.ClientBase): number => connectionOf(client).stream.bytesRead ?? 0;

/**
 * A node-postgres client that passes rows as bytes to the connection's `resultHandler`, if there is one, instead of
 * parsing them and emitting an event for each. Values that nobody reads are never decoded.
 */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const connection = connectionOf(this);
    const attach = connection.attachListeners;
    connection.attachListeners = (stream) => attach.call(connection, divertResults(stream, connection));
  }
}

const DATA_ROW = 'D'.charCodeAt(0);
const BIND_COMPLETE = '2'.charCodeAt(0);
const COMMAND_COMPLETE = 'C'.charCodeAt(0);
/** The type of a message (1 byte) and its length (4 bytes), which includes itself but not the type. */
const HEADER = 5;

/** Returns a stream of the messages that the result handler does not take. */
function divertResults(stream: Pick<EventEmitter, 'on'>, connection: Connection): EventEmitter {
  const others = new EventEmitter();
  let incomplete: Buffer | undefined;
  stream.on('end', () => others.emit('end'));
  stream.on('data', (chunk: Buffer) => {
    const bytes = incomplete ? Buffer.concat([incomplete, chunk]) : chunk;
    const end = splitMessages(bytes, connection, others);
    incomplete = end < bytes.length ? bytes.subarray(end) : undefined;
  });
  return others;
}

/** Hands each complete message to the result handler or to `others`; returns the offset of the incomplete rest. */
function splitMessages(bytes: Buffer, connection: Connection, others: EventEmitter): number {
  let emitted = 0;
  let at = 0;
  const emitOthers = () => {
    if (emitted < at) others.emit('data', bytes.subarray(emitted, at));
  };
  while (at + HEADER <= bytes.length) {
    const next = at + 1 + bytes.readUInt32BE(at + 1);
    if (next > bytes.length) break;
    const type = bytes[at];
    if (type === DATA_ROW || type === BIND_COMPLETE || type === COMMAND_COMPLETE) {
      // The messages before this one may set or clear the handler.
      emitOthers();
      emitted = at;
      const { resultHandler } = connection;
      if (resultHandler) {
        if (type === DATA_ROW) resultHandler.onRow(bytes, at + HEADER, next);
        else if (type === COMMAND_COMPLETE) resultHandler.onCommandComplete(connection);
        emitted = next;
      }
    }
    at = next;
  }
  emitOthers();
  return at;
}
