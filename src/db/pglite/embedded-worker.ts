import { Worker } from 'node:worker_threads';
import type { Answer, Request, WorkerOptions } from './worker.js';

export interface WorkerListener {
  onAnswer(id: number, bytes: Uint8Array<ArrayBuffer>): void;
  /** The database cannot continue, and its thread has stopped. */
  onBroken(reason: string): void;
  /** The thread ended without being asked to. */
  onCrash(error: Error): void;
}

/** One run of the thread of the embedded database (worker.js). */
export class EmbeddedWorker {
  /** Resolves when the database can be used; rejects with the reason why it cannot. */
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #listener: WorkerListener;
  #settleOpened: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #onDump: (bytes: Uint8Array<ArrayBuffer>) => void = () => {};
  #onClosed: () => void = () => {};
  #ending = false;

  constructor(options: WorkerOptions, listener: WorkerListener) {
    this.#listener = listener;
    this.opened = new Promise((resolve, reject) => {
      this.#settleOpened = { resolve, reject };
    });
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

  /** The database as a file: an archive of its folder. */
  dump(): Promise<Uint8Array<ArrayBuffer>> {
    return new Promise((resolve) => {
      this.#onDump = resolve;
      this.post({ dump: true });
    });
  }

  /** Closes the database in order. */
  async close(): Promise<void> {
    this.#ending = true;
    await new Promise<void>((resolve) => {
      this.#onClosed = resolve;
      this.post({ close: true });
    });
    await this.#worker.terminate();
  }

  /** Ends the thread, whatever it does. */
  async terminate(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }

  #receive(answer: Answer): void {
    if ('id' in answer) this.#listener.onAnswer(answer.id, answer.bytes as Uint8Array<ArrayBuffer>);
    else if ('ready' in answer) this.#settleOpened?.resolve();
    else if ('failed' in answer) this.#ended(new Error(answer.failed));
    else if ('broken' in answer) this.#listener.onBroken(answer.broken);
    else if ('dump' in answer) this.#onDump(answer.dump as Uint8Array<ArrayBuffer>);
    else this.#onClosed();
  }

  #ended(error: Error): void {
    this.#settleOpened?.reject(error);
    this.#onClosed();
    if (!this.#ending) this.#listener.onCrash(error);
    this.#ending = true;
  }
}
