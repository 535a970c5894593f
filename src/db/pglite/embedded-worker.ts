import { Worker } from 'node:worker_threads';
import type { Answer, Request, WorkerOptions } from './worker.js';

export interface WorkerListener {
  onAnswer(id: number, bytes: Uint8Array<ArrayBuffer>): void;
  /** The database cannot continue, and its thread has stopped. */
  onBroken(reason: string): void;
  /** The thread of an open database ended without being asked to. */
  onCrash(error: Error): void;
}

/** One run of the thread of the embedded database (worker.js). */
export class EmbeddedWorker {
  /** Resolves when the database can be used; rejects with the reason why it cannot. */
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #listener: WorkerListener;
  /** Rejects when the thread has ended, for whatever reason. */
  readonly #end: Promise<never>;
  #settleOpened: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #rejectEnd: (error: Error) => void = () => {};
  #onDump: (bytes: Uint8Array<ArrayBuffer>) => void = () => {};
  #onClosed: () => void = () => {};
  #isOpen = false;
  #ending = false;

  constructor(options: WorkerOptions, listener: WorkerListener) {
    this.#listener = listener;
    this.opened = new Promise((resolve, reject) => {
      this.#settleOpened = { resolve, reject };
    });
    this.#end = new Promise((_, reject) => {
      this.#rejectEnd = reject;
    });
    this.#end.catch(() => {}); // most of the time, nobody waits for an answer
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: options,
      env: {},
      execArgv: [],
    });
    this.#worker.on('message', (answer: Answer) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#ended(error));
    this.#worker.on('exit', () => this.#ended(new Error('its thread ended')));
  }

  /** Whether the process stays while nothing else keeps it running. */
  set keepsProcess(yes: boolean) {
    if (yes) this.#worker.ref();
    else this.#worker.unref();
  }

  post(request: Request, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  /** The database as a file: an archive of its folder. Rejects when the thread ends. */
  dump(): Promise<Uint8Array<ArrayBuffer>> {
    const answer = new Promise<Uint8Array<ArrayBuffer>>((resolve) => {
      this.#onDump = resolve;
      this.post({ dump: true });
    });
    return Promise.race([answer, this.#end]);
  }

  /** Closes the database in order. A thread that has ended already is closed. */
  async close(): Promise<void> {
    this.#ending = true;
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
      this.post({ close: true });
    });
    await Promise.race([closed, this.#end]).catch(() => {});
    await this.#worker.terminate();
  }

  /** Ends the thread, whatever it does. */
  async terminate(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }

  #receive(answer: Answer): void {
    if ('id' in answer) this.#listener.onAnswer(answer.id, answer.bytes as Uint8Array<ArrayBuffer>);
    else if ('ready' in answer) this.#ready();
    else if ('failed' in answer) this.#failed(answer.failed);
    else if ('broken' in answer) this.#listener.onBroken(answer.broken);
    else if ('dump' in answer) this.#onDump(answer.dump as Uint8Array<ArrayBuffer>);
    else this.#onClosed();
  }

  #ready(): void {
    this.#isOpen = true;
    this.#settleOpened?.resolve();
  }

  #failed(reason: string): void {
    this.#ended(new Error(reason));
    void this.#worker.terminate();
  }

  /** A thread that could not open the database has not crashed: another would fail in the same way. */
  #ended(error: Error): void {
    const crashed = this.#isOpen && !this.#ending;
    this.#ending = true;
    this.#settleOpened?.reject(error);
    this.#rejectEnd(error);
    if (crashed) this.#listener.onCrash(error);
  }
}
