import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { SECOND } from '../lib/time.ts';
import type { NewsListener, Wire } from './news.ts';

const CHANNEL = 'docgraph_events';
const RETRY = SECOND;

/**
 * News between processes, as notifications of PostgreSQL: the id of this process's wire and the organization's, nothing
 * else. It listens on a connection of its own, which no pooler may share; when that breaks it is made anew, and the
 * listeners are told that they may have missed something.
 */
export class PostgresWire implements Wire {
  readonly #self = randomBytes(6).toString('hex');
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  #ear: pg.Client | undefined;
  #closed = false;

  constructor(url: string, pool: pg.Pool, onError: (error: Error) => void) {
    this.#url = url;
    this.#pool = pool;
    this.#onError = onError;
  }

  send(organizationIds: string[]): Promise<unknown> {
    const words = organizationIds.map((id) => `${this.#self} ${id}`);
    return this.#pool.query(`SELECT pg_notify('${CHANNEL}', word) FROM unnest($1::text[]) AS word`, [words]);
  }

  listen(heard: NewsListener): void {
    if (this.#closed) return;
    const ear = new pg.Client({
      connectionString: this.#url,
      application_name: 'docgraph events',
      keepAlive: true,
    });
    this.#ear = ear;
    ear.on('notification', ({ payload = '' }) => {
      const [sender, organizationId] = payload.split(' ');
      if (sender !== this.#self) heard(organizationId);
    });
    ear.on('error', this.#onError);
    ear.once('end', () => setTimeout(() => this.listen(heard), RETRY).unref());
    ear
      .connect()
      .then(() => ear.query(`LISTEN ${CHANNEL}`))
      .then(
        () => heard(),
        (error) => {
          this.#onError(error);
          ear.end().catch(this.#onError);
        },
      );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#ear?.end();
  }
}
