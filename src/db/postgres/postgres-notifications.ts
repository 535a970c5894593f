import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { SECOND } from '../../lib/time.ts';
import type { NotificationListener, NotificationTransport } from '../notifications.ts';

const CHANNEL = 'docgraph_events';

/** Milliseconds before the listening connection is opened again. */
const RECONNECT_AFTER = SECOND;

export interface NotificationHooks {
  /** Called with each listening connection that is opened. */
  onConnect: (client: pg.Client) => void;
  onError: (error: Error) => void;
}

/**
 * Notifications between processes by NOTIFY; the payload is the id of the sending process and the organization's id.
 * LISTEN needs a connection of its own, which no pooler may share. After a reconnect the listener is called without an
 * organization, because notifications may have been missed.
 */
export class PostgresNotifications implements NotificationTransport {
  /** Distinguishes this process's own notifications from those of others. */
  readonly #senderId = randomBytes(6).toString('hex');
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #hooks: NotificationHooks;
  #listeningClient: pg.Client | undefined;
  #closed = false;

  constructor(url: string, pool: pg.Pool, hooks: NotificationHooks) {
    this.#url = url;
    this.#pool = pool;
    this.#hooks = hooks;
  }

  send(organizationIds: string[]): Promise<unknown> {
    const payloads = organizationIds.map((id) => `${this.#senderId} ${id}`);
    return this.#pool.query(`SELECT pg_notify('${CHANNEL}', payload) FROM unnest($1::text[]) AS payload`, [
      payloads,
    ]);
  }

  listen(onNotification: NotificationListener): void {
    if (this.#closed) return;
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'docgraph events',
      keepAlive: true,
    });
    const { onConnect, onError } = this.#hooks;
    this.#listeningClient = client;
    onConnect(client);
    client.on('notification', ({ payload = '' }) => {
      const [senderId, organizationId] = payload.split(' ');
      if (senderId !== this.#senderId) onNotification(organizationId);
    });
    client.on('error', onError);
    client.once('end', () => setTimeout(() => this.listen(onNotification), RECONNECT_AFTER).unref());
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      .then(
        () => onNotification(),
        (error) => {
          onError(error);
          client.end().catch(onError);
        },
      );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#listeningClient?.end();
  }
}
