// @ts-nocheck: this file runs in browsers, and the project has no types for them.
import { failureText, sendFile } from './send-file.js';
import { UploadEntry } from './upload-entry.js';

/** Files that are sent at the same time. */
const PARALLEL = 2;

const FOLDER = 'This is a folder. Drop the files that are in it.';
const ONE = 'A revision is one file. Choose one.';

/** The files of a page, some of which are sent at a time. After the last one, the page is loaded again with what is new. */
export class UploadQueue {
  #list;
  #status;
  #destination;
  #isRevision;
  #target;
  #waiting = [];
  #running = 0;
  #counts = { all: 0, done: 0, failed: 0 };

  constructor(section) {
    const { project, folder, document: revised, target } = section.dataset;
    this.#list = section.querySelector('ul');
    this.#status = section.querySelector('[role=status]');
    this.#destination = { projectId: project, folderId: folder, documentId: revised };
    this.#isRevision = revised !== undefined;
    this.#target = target;
  }

  get isBusy() {
    return this.#running + this.#waiting.length > 0;
  }

  add(files) {
    if (this.#isRevision && (files.length > 1 || (files.length > 0 && this.isBusy)))
      return this.refuse([files[0].name], ONE);
    for (const file of files) this.#enqueue(file, new UploadEntry(this.#list, file.name));
    this.#startNext();
  }

  /** Lists what is not uploaded, with the reason. */
  refuse(names, reason = FOLDER) {
    for (const name of names) {
      this.#counts.all++;
      this.#counts.failed++;
      new UploadEntry(this.#list, name).end(reason, true);
    }
    if (names.length > 0) this.#announce();
  }

  #enqueue(file, entry) {
    const job = { file, entry, stop: new AbortController() };
    this.#counts.all++;
    this.#waiting.push(job);
    entry.show('Waiting');
    entry.offer('Cancel', () => this.#cancel(job));
  }

  #cancel(job) {
    job.stop.abort();
    if (!this.#waiting.includes(job)) return;
    this.#waiting = this.#waiting.filter((each) => each !== job);
    this.#cancelled(job);
    this.#finish();
  }

  #startNext() {
    while (this.#running < PARALLEL && this.#waiting.length > 0) this.#run(this.#waiting.shift());
    this.#announce();
  }

  async #run({ file, entry, stop }) {
    this.#running++;
    entry.show('0 %');
    try {
      const onProgress = (progress) => entry.advance(progress);
      await sendFile(file, this.#destination, { signal: stop.signal, onProgress });
      this.#counts.done++;
      entry.end('Uploaded', false);
    } catch (error) {
      if (stop.signal.aborted) this.#cancelled({ entry });
      else this.#failed(file, entry, error);
    }
    this.#running--;
    this.#finish();
  }

  #cancelled({ entry }) {
    this.#counts.all--;
    entry.end('Cancelled', true);
  }

  #failed(file, entry, error) {
    this.#counts.failed++;
    entry.end(failureText(error), true);
    entry.offer('Try again', () => {
      this.#counts.failed--;
      this.#counts.all--;
      entry.restart();
      this.#enqueue(file, entry);
      this.#startNext();
    });
  }

  #finish() {
    this.#startNext();
    const { done, failed } = this.#counts;
    if (this.isBusy || done === 0) return;
    if (failed === 0) location.assign(this.#target);
    else this.#offerReload();
  }

  /** Failures stay to be read. */
  #offerReload() {
    if (this.#status.querySelector('a')) return;
    const link = document.createElement('a');
    Object.assign(link, { href: this.#target, textContent: 'Show what was uploaded' });
    this.#status.append(' ', link);
  }

  #announce() {
    const { all, done, failed } = this.#counts;
    const failures = failed > 0 ? ` ${failed} failed.` : '';
    this.#status.textContent = all > 0 ? `${done} of ${all} uploaded.${failures}` : '';
  }
}
