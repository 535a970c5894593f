import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { SECOND } from '../../lib/time.ts';
import type { NotificationListener, NotificationTransport } from '../notifications.ts';

const CHANNEL = 'docgraph_events';
const RETRY = SECOND;

export interface Told {
  /** Of each connection that it makes. */
  watch: (client: pg.Client) => void;
  onError: (error: Error) => void;
}

/**
 * News between processes, as notifications of PostgreSQL: the id of this process's wire and the organization's, nothing
 * else. It listens on a connection of its own, which no pooler may share; when that breaks it is made anew, and the
 * listeners are told that they may have missed something.
 */
export class PostgresNotifications implements NotificationTransport {
  readonly #self = randomBytes(6).toString('hex');
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #told: Told;
  #ear: pg.Client | undefined;
  #closed = false;

  constructor(url: string, pool: pg.Pool, told: Told) {
    this.#url = url;
    this.#pool = pool;
    this.#told = told;
  }

  send(organizationIds: string[]): Promise<unknown> {
    const words = organizationIds.map((id) => `${this.#self} ${id}`);
    return this.#pool.query(`SELECT pg_notify('${CHANNEL}', word) FROM unnest($1::text[]) AS word`, [words]);
  }

  listen(heard: NotificationListener): void {
    if (this.#closed) return;
    const ear = new pg.Client({
      connectionString: this.#url,
      application_name: 'docgraph events',
      keepAlive: true,
    });
    const { watch, onError } = this.#told;
    this.#ear = ear;
    watch(ear);
    ear.on('notification', ({ payload = '' }) => {
      const [sender, organizationId] = payload.split(' ');
      if (sender !== this.#self) heard(organizationId);
    });
    ear.on('error', onError);
    ear.once('end', () => setTimeout(() => this.listen(heard), RETRY).unref());
    ear
      .connect()
      .then(() => ear.query(`LISTEN ${CHANNEL}`))
      .then(
        () => heard(),
        (error) => {
          onError(error);
          ear.end().catch(onError);
        },
      );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#ear?.end();
  }
}
