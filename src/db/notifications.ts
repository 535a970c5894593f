/** Called with an organization that got new events, or texts of files; with nothing when it may have been any of them. */
export type NotificationListener = (organizationId?: string) => void;

/** How the word is passed on to other processes, and how it comes from them. */
export interface NotificationTransport {
  send(organizationIds: string[]): Promise<unknown>;
  /** Begins to listen, for good. */
  listen(heard: NotificationListener): void;
}

/**
 * Says that an organization got new events, or that the text of a file has come further, after the commit that made it so;
 * whoever is told reads for themselves. The word may be lost with a process or a connection, so a listener also looks now
 * and then without it. It travels outside of the transaction: NOTIFY inside would let PostgreSQL commit one writer at a time.
 */
export class Notifications {
  readonly #listeners = new Set<NotificationListener>();
  readonly #untold = new Set<string>();
  readonly #wire: NotificationTransport | undefined;
  #listening = false;
  #sending = false;
  /** Called with each organization that got news by this process. */
  onPublish: (organizationId: string) => void = () => {};

  constructor(wire?: NotificationTransport) {
    this.#wire = wire;
  }

  /** Gives what ends it. */
  subscribe(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    if (!this.#listening) this.#wire?.listen((organizationId) => this.#hear(organizationId));
    this.#listening = true;
    return () => void this.#listeners.delete(listener);
  }

  publish(organizationId: string): void {
    this.onPublish(organizationId);
    this.#hear(organizationId);
    if (!this.#wire) return;
    this.#untold.add(organizationId);
    if (!this.#sending) void this.#send(this.#wire);
  }

  #hear(organizationId?: string): void {
    for (const listener of this.#listeners) listener(organizationId);
  }

  /** One statement at a time, with all that has come up since the last: many commits cost few of them. */
  async #send(wire: NotificationTransport): Promise<void> {
    this.#sending = true;
    while (this.#untold.size > 0) {
      const organizationIds = [...this.#untold];
      this.#untold.clear();
      await wire.send(organizationIds).catch(() => {});
    }
    this.#sending = false;
  }
}
