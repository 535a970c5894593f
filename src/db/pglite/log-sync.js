// Plain JavaScript, as everything that worker.js loads.
import { fdatasync, fdatasyncSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fdatasync);

/**
 * Runs the syncs of the write-ahead log that PostgreSQL requests, without blocking the thread. One sync serves all commits
 * that were requested meanwhile (group commit). Files are descriptors. After a failure, earlier writes may be lost, so every
 * later call fails too.
 */
export class LogSync {
  /** @type {Set<number>} */
  #requested = new Set();
  #onFailure;
  /** @type {{ files: number[], synced: Promise<unknown>, superseded?: boolean } | undefined} */
  #running;
  /** @type {Promise<void> | undefined} */
  #next;
  /** @type {Error | undefined} */
  #failure;

  /** @param {(error: Error) => void} onFailure */
  constructor(onFailure) {
    this.#onFailure = onFailure;
  }

  /** @param {number} file */
  request(file) {
    this.#requested.add(file);
  }

  /** Whether everything requested so far is on disk already. */
  get isIdle() {
    return this.#requested.size === 0 && !this.#running && !this.#failure;
  }

  /** Resolves when everything requested so far is on disk. Rejects when a sync failed, now or before. */
  async done() {
    if (this.#requested.size > 0) this.#next ??= this.#syncNext();
    await (this.#requested.size > 0 ? this.#next : this.#running?.synced);
    if (this.#failure) throw this.#failure;
  }

  /** Syncs everything requested, synchronously: for writes that may reach the disk only after the log. */
  syncNow() {
    const running = this.#running?.superseded ? [] : (this.#running?.files ?? []);
    try {
      for (const file of new Set([...running, ...this.#requested])) fdatasyncSync(file);
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
      throw error;
    }
    this.#requested.clear();
    if (this.#running) this.#running.superseded = true;
  }

  /**
   * Calls `close` once no sync uses the descriptor: the system reuses its number for the next file.
   * @param {number} file
   * @param {() => void} close
   */
  closing(file, close) {
    if (this.#requested.has(file)) this.syncNow();
    if (this.#running?.files.includes(file)) void this.#running.synced.then(close);
    else close();
  }

  async #syncNext() {
    await this.#running?.synced;
    this.#next = undefined;
    const files = [...this.#requested];
    this.#requested.clear();
    const done = Promise.all(files.map((file) => sync(file))).catch((error) => this.#fail(error));
    this.#running = { files, synced: done };
    await done;
    this.#running = undefined;
  }

  /** @param {Error} error */
  #fail(error) {
    this.#failure ??= error;
    this.#onFailure(error);
  }
}
