import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { BulkCredential } from '../domain/bulk/bulk-claim.ts';
import type { LineAnswer } from '../domain/bulk/bulk-line.ts';
import type { Context, Limits, Storage } from '../domain/kernel/context.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import type { StampingSite } from '../domain/sealing/seal-stamp.ts';
import type { Select } from '../domain/webhooks/webhook-payload.ts';
import type { Recognition } from '../files/content/text/ocr-pages.ts';
import type { OfficeConverter } from '../files/office/converter.ts';
import type { MailService } from '../mail/mailer.ts';
import type { TimeStamper } from '../timestamp/authority.ts';

/** The dependencies of the webhooks. */
export type WebhookContext = Omit<
  JobContext,
  | 'bulk'
  | 'mail'
  | 'countMail'
  | 'office'
  | 'recognition'
  | 'stopping'
  | 'sweepEvery'
  | 'timeStamper'
  | 'timeStampRoots'
>;

/** How the lines of bulk operations are run. */
interface BulkServices {
  /** The viewer behind a credential, with its present rights; undefined if it has ended. */
  readonly viewerOf: (db: Database, credential: BulkCredential) => Promise<Viewer | undefined>;
  /** Throws if the viewer may not run the mutation. */
  readonly requireMutation: (mutation: string, ctx: Context) => void;
  /** `busy`: it failed for a reason that passes. */
  readonly runLine: (
    mutation: string,
    input: string,
    ctx: Context,
  ) => Promise<LineAnswer & { points: number; busy: boolean }>;
}

/** The dependencies of every handler. */
export interface JobContext {
  readonly db: Database;
  readonly storage: Storage;
  readonly limits: Limits;
  readonly log: Logger;
  /** Milliseconds from one sweep to the next. */
  readonly sweepEvery: number;
  /** `select` executes a webhook's query; `allowPrivate` permits receivers in private networks. */
  readonly webhooks: { readonly select: Select; readonly allowPrivate: boolean };
  readonly bulk: BulkServices;
  readonly mail: MailService;
  /** Counts the outcomes of mails. */
  readonly countMail?: (outcome: string) => void;
  /** How text in images is recognised; without it, recognition is off. */
  readonly recognition?: Recognition;
  /** Converts office files to PDF; without it, they are not. */
  readonly office?: OfficeConverter;
  /** Aborted when the server stops; work that may take long ends then, and is done later. */
  readonly stopping?: AbortSignal;
  /** Without it, neither seals nor event logs are time-stamped. */
  readonly timeStamper?: TimeStamper;
  /** Roots of its authorities. */
  readonly timeStampRoots?: StampingSite['roots'];
}
