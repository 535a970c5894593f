import { fdatasync, fdatasyncSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fdatasync);

/**
 * Runs the syncs of the write-ahead log that PostgreSQL requests, off the main thread. One sync serves all commits that were
 * requested meanwhile (group commit). Files are descriptors. After a failure, earlier writes may be lost, so every later
 * call fails too.
 */
export class LogSync {
  readonly #requested = new Set<number>();
  readonly #onFailure: (error: Error) => void;
  #running: { files: number[]; synced: Promise<unknown>; superseded?: boolean } | undefined;
  #next: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(onFailure: (error: Error) => void) {
    this.#onFailure = onFailure;
  }

  request(file: number): void {
    this.#requested.add(file);
  }

  /** Resolves when everything requested so far is on disk. Rejects when a sync failed, now or before. */
  async done(): Promise<void> {
    if (this.#requested.size > 0) this.#next ??= this.#syncNext();
    await (this.#requested.size > 0 ? this.#next : this.#running?.synced);
    if (this.#failure) throw this.#failure;
  }

  /** Syncs everything requested, synchronously: for writes that may reach the disk only after the log. */
  syncNow(): void {
    const running = this.#running?.superseded ? [] : (this.#running?.files ?? []);
    try {
      for (const file of new Set([...running, ...this.#requested])) fdatasyncSync(file);
    } catch (error) {
      this.#fail(error as Error);
      throw error;
    }
    this.#requested.clear();
    if (this.#running) this.#running.superseded = true;
  }

  /** Calls `close` once no sync uses the descriptor: the system reuses its number for the next file. */
  closing(file: number, close: () => void): void {
    if (this.#requested.has(file)) this.syncNow();
    if (this.#running?.files.includes(file)) void this.#running.synced.then(close);
    else close();
  }

  async #syncNext(): Promise<void> {
    await this.#running?.synced;
    this.#next = undefined;
    const files = [...this.#requested];
    this.#requested.clear();
    const done = Promise.all(files.map((file) => sync(file))).catch((error) => this.#fail(error));
    this.#running = { files, synced: done };
    await done;
    this.#running = undefined;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#onFailure(error);
  }
}
