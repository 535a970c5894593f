import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Limits, Storage } from '../domain/kernel/context.ts';
import type { Select } from '../domain/webhooks/webhook-payload.ts';
import type { Recognition } from '../files/content/text/ocr-text.ts';

/** What every handler is given. */
export interface JobContext {
  readonly db: Database;
  readonly storage: Storage;
  readonly limits: Limits;
  readonly log: Logger;
  /** What sending to webhooks needs of the graph and of the configuration. */
  readonly webhooks: { readonly select: Select; readonly allowPrivate: boolean };
  /** How text in pictures is recognised; nothing is where it is left out. */
  readonly recognition?: Recognition;
}
