import { Duplex } from 'node:stream';

/** What a connection needs of the embedded database. */
export interface MessageTransport {
  /** Calls `ready` when messages can be sent. */
  attach(stream: EmbeddedStream, ready: () => void): void;
  detach(stream: EmbeddedStream): void;
  send(stream: EmbeddedStream, bytes: Uint8Array<ArrayBuffer>): void;
}

/** Types of the messages that the server answers at once, and of the one that ends a connection. */
const [SYNC, QUERY, TERMINATE] = ['S', 'Q', 'X'].map((type) => type.charCodeAt(0));

let lastId = 0;

/**
 * A connection to the embedded database, in the form of the socket that node-postgres expects (`stream` in its configuration).
 * Messages are passed on up to a Sync or a Query, as nothing is answered before.
 */
export class EmbeddedStream extends Duplex {
  readonly id = ++lastId;
  readonly #transport: MessageTransport;
  #started = false;
  #unsent: Uint8Array[] = [];

  constructor(transport: MessageTransport) {
    super();
    this.#transport = transport;
  }

  /** The start of the names of prepared statements of this connection: all connections share one session. */
  get statementPrefix(): string {
    return `c${this.id}_`;
  }

  connect(): void {
    this.#transport.attach(this, () => this.emit('connect'));
  }

  /** Methods of a socket that have no effect here. */
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  receive(bytes: Uint8Array<ArrayBuffer>): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#take(chunk);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    for (const { chunk } of chunks) this.#take(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#transport.detach(this);
    done(error);
  }

  /** A chunk is one or more whole messages, as node-postgres writes them. */
  #take(chunk: Buffer): void {
    const type = this.#started ? lastTypeOf(chunk) : SYNC; // the startup message has no type
    this.#started = true;
    if (type === TERMINATE) return;
    this.#unsent.push(chunk);
    if (type !== SYNC && type !== QUERY) return;
    this.#transport.send(this, joined(this.#unsent));
    this.#unsent = [];
  }
}

function lastTypeOf(messages: Buffer): number | undefined {
  let type: number | undefined;
  for (let at = 0; at < messages.length; at += 1 + messages.readUInt32BE(at + 1)) type = messages[at];
  return type;
}

/** A copy with a buffer of its own, which can be transferred. */
function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
