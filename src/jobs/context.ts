import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Limits, Storage } from '../domain/context.ts';

/** What every handler is given. */
export interface JobContext {
  readonly db: Database;
  readonly storage: Storage;
  readonly limits: Limits;
  readonly log: Logger;
}
