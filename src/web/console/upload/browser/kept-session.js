// @ts-nocheck: this file runs in browsers, and the project has no types for them.

/** A day in ms: how long the server keeps what was sent. */
const LIFETIME = 86_400_000;

/**
 * The session of an upload, kept so that the same file for the same destination continues after the page was closed. Nothing is kept
 * where the browser stores nothing.
 */
export class KeptSession {
  #key;

  constructor(destination, { name, size, lastModified }) {
    this.#key = `docgraph.upload ${JSON.stringify([destination, name, size, lastModified])}`;
  }

  read() {
    return unlessRefused(() => {
      const { session, end } = JSON.parse(localStorage.getItem(this.#key) ?? '{}');
      return end > Date.now() ? session : undefined;
    });
  }

  keep(session) {
    const end = Date.now() + LIFETIME;
    unlessRefused(() => localStorage.setItem(this.#key, JSON.stringify({ session, end })));
  }

  forget() {
    unlessRefused(() => localStorage.removeItem(this.#key));
  }
}

function unlessRefused(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
}
