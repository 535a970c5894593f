import { setTimeout as delay } from 'node:timers/promises';

/** Called with the organization that got new events or new text of a file; with undefined when it may be any of them. */
export type NotificationListener = (organizationId?: string) => void;

/** Milliseconds from one message to other processes to the next: the commits between share it. */
const INTERVAL = 50;

/** Carries notifications to and from other processes. */
export interface NotificationTransport {
  send(organizationIds: string[]): Promise<unknown>;
  /** Starts to listen, until the transport is closed. */
  listen(onNotification: NotificationListener): void;
}

/**
 * Notifies subscribers, after the commit, that an organization has new events or that the text of a file has progressed;
 * they read the database themselves. A notification may be lost with a process or a connection, so subscribers also poll.
 * Sent outside of the transaction, because NOTIFY inside would make PostgreSQL commit one writer at a time.
 */
export class Notifications {
  readonly #listeners = new Set<NotificationListener>();
  readonly #unsent = new Set<string>();
  readonly #transport: NotificationTransport | undefined;
  #listening = false;
  #sending = false;
  /** Called with each organization for which this process publishes. */
  onPublish: (organizationId: string) => void = () => {};

  /** Without a transport, only subscribers in this process are notified. */
  constructor(transport?: NotificationTransport) {
    this.#transport = transport;
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    if (!this.#listening) this.#transport?.listen((organizationId) => this.#notify(organizationId));
    this.#listening = true;
    return () => void this.#listeners.delete(listener);
  }

  publish(organizationId: string): void {
    this.onPublish(organizationId);
    this.#notify(organizationId);
    if (!this.#transport) return;
    this.#unsent.add(organizationId);
    if (!this.#sending) void this.#sendAll(this.#transport);
  }

  #notify(organizationId?: string): void {
    for (const listener of this.#listeners) listener(organizationId);
  }

  /** One statement at a time, for all organizations published since the last: many commits need few statements. The first leaves at once. */
  async #sendAll(transport: NotificationTransport): Promise<void> {
    this.#sending = true;
    while (this.#unsent.size > 0) {
      const organizationIds = [...this.#unsent];
      this.#unsent.clear();
      await transport.send(organizationIds).catch(() => {});
      await delay(INTERVAL, undefined, { ref: false });
    }
    this.#sending = false;
  }
}
