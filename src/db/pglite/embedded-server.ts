import type { Duplex } from 'node:stream';
import { PLANNER_SETTINGS } from '../planner-settings.ts';
import { EmbeddedStream, type MessageTransport } from './embedded-stream.ts';
import { EmbeddedWorker } from './embedded-worker.ts';

/** SQL that sets up the one session that all connections share. */
const SETTINGS = [
  `SET TIME ZONE 'UTC'`,
  ...Object.entries(PLANNER_SETTINGS).map(([name, value]) => `SET ${name} = ${value}`),
].join(';');

export interface EmbeddedServerOptions {
  /** Undefined for a database in memory. */
  folder?: string;
  /** Whether commits are synced to disk before they are acknowledged. */
  sync: boolean;
  /** The file of a prepared database to start from instead of an empty one. */
  dump?: string;
  /** Called when the database cannot continue, with a predicate ("cannot continue: …"). */
  onBroken: (reason: string) => void;
}

/**
 * PGlite in a worker thread, which speaks PostgreSQL's protocol with the connections of this thread. A thread that is started
 * again recovers as a server does after a crash: what was acknowledged is there, and open statements fail with ECONNRESET.
 */
export class EmbeddedServer implements MessageTransport {
  readonly #options: EmbeddedServerOptions;
  readonly #streams = new Map<number, EmbeddedStream>();
  /** Incremented when the execution of messages begins and when it ends; and the connection that sent the messages. */
  readonly #statements = new Int32Array(new SharedArrayBuffer(8));
  /** Connections of maintenance. */
  readonly #maintenance = new Set<number>();
  /** Connections whose answer has not come. While there are any, or other tasks, the thread keeps this process running. */
  readonly #unanswered = new Set<number>();
  #tasks = 0;
  #worker: EmbeddedWorker;
  #opened: Promise<void>;

  private constructor(options: EmbeddedServerOptions) {
    this.#options = options;
    this.#worker = this.#start(options.dump);
    this.#opened = this.#worker.opened;
  }

  /** Throws an Error whose message says why the database cannot be opened. */
  static async open(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
    const server = new EmbeddedServer(options);
    await server.#opened;
    return server;
  }

  /** A stream for a client of node-postgres, with the prefix that its prepared statements need. */
  connect(use: 'callers' | 'maintenance' = 'callers'): EmbeddedStream & Duplex {
    const stream = new EmbeddedStream(this);
    if (use === 'maintenance') this.#maintenance.add(stream.id);
    return stream;
  }

  /** A number that changes while statements are executed, and is odd while one is. */
  get progress(): number {
    return Atomics.load(this.#statements, 0);
  }

  /** Whether the statement that `progress` counted last is one of maintenance. */
  get isMaintaining(): boolean {
    return this.#maintenance.has(Atomics.load(this.#statements, 1));
  }

  /** The database as a file, for `dump` of EmbeddedServerOptions. */
  dump(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#keepingProcess(async () => {
      await this.#opened;
      return this.#worker.dump();
    });
  }

  /** After a restart that is under way; one that fails leaves nothing to close. */
  close(): Promise<void> {
    return this.#keepingProcess(async () => {
      await this.#opened.catch(() => {});
      await this.#worker.close();
    });
  }

  /** Ends the thread, whatever it does, and opens the database again: of one in memory, nothing would be left. */
  restart(reason: string): void {
    const { folder, onBroken } = this.#options;
    if (!folder) {
      onBroken(reason);
      return;
    }
    this.#opened = this.#startAgain(this.#worker);
    this.#opened.catch((error: Error) => onBroken(`cannot be opened again: ${error.message}`));
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    this.#unanswered.clear();
    for (const stream of streams)
      stream.destroy(Object.assign(new Error(`The embedded database ${reason}`), { code: 'ECONNRESET' }));
  }

  async #startAgain(worker: EmbeddedWorker): Promise<void> {
    await worker.terminate();
    Atomics.store(this.#statements, 0, 0);
    this.#worker = this.#start();
    await this.#worker.opened;
    this.#keepProcess();
  }

  #start(dump?: string): EmbeddedWorker {
    const { folder, sync, onBroken } = this.#options;
    return new EmbeddedWorker(
      { folder, sync, dump, settings: SETTINGS, statements: this.#statements },
      {
        onAnswer: (id, bytes) => {
          this.#setAnswered(id);
          this.#streams.get(id)?.receive(bytes);
        },
        onBroken,
        onCrash: ({ message }) => this.restart(`was interrupted: ${message}`),
      },
    );
  }

  attach(stream: EmbeddedStream, ready: () => void): void {
    this.#streams.set(stream.id, stream);
    this.#opened.then(ready, (error: Error) => stream.destroy(error));
  }

  detach({ id, statementPrefix }: EmbeddedStream): void {
    this.#maintenance.delete(id);
    if (!this.#streams.delete(id)) return;
    this.#setAnswered(id);
    this.#worker.post({ closed: id, prefix: statementPrefix });
  }

  send({ id }: EmbeddedStream, bytes: Uint8Array<ArrayBuffer>): void {
    this.#unanswered.add(id);
    this.#keepProcess();
    this.#worker.post({ id, bytes }, [bytes.buffer]);
  }

  #setAnswered(id: number): void {
    this.#unanswered.delete(id);
    this.#keepProcess();
  }

  #keepingProcess<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#tasks++;
    this.#keepProcess();
    return work().finally(() => {
      this.#tasks--;
      this.#keepProcess();
    });
  }

  #keepProcess(): void {
    this.#worker.keepsProcess = this.#unanswered.size + this.#tasks > 0;
  }
}
