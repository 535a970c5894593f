import type { Database } from '../../db/database.ts';
import type { BlobStore } from '../../files/store/store.ts';
import type { SignedUrls } from '../../files/transfer/signed-url.ts';
import type { Vault } from '../../lib/seal.ts';
import type { Sealer } from '../keys/seal-key.ts';
import type { AccountService } from './account-service.ts';
import type { ResponseSize } from './response-size.ts';
import type { Viewer } from './viewer.ts';

/** Reminders from `first` on, each `interval`, until `last`; milliseconds after what they remind of. */
interface ReminderSchedule {
  readonly first: number;
  readonly interval: number;
  readonly last: number;
}

/** Limits that domain rules depend on; times in milliseconds, sizes in bytes. */
export interface Limits {
  readonly pageSize: number;
  readonly pageSizeMax: number;
  readonly batchMax: number;
  /** Cost in points and depth in levels of one operation, also of a webhook's query. */
  readonly queryCost: number;
  readonly queryDepth: number;
  /** Requests of an organization within a minute, and points for each of them: bulk operations run at half of that. 0: no limit. */
  readonly requestsOrganization: number;
  readonly pointsPerRequest: number;
  /** Webhooks per organization. */
  readonly webhooks: number;
  /** Lifetime of an upload's reservation, of a document in the recycle bin, and of a signed URL. */
  readonly reservation: number;
  readonly recycleBin: number;
  readonly signedUrl: number;
  readonly uploadBytes: number;
  /** Maximum of a response. */
  readonly responseBytes: number;
  /** Lifetime of a signing link, and of an invitation. */
  readonly signingLink: number;
  readonly invitation: number;
  /** Times after a signing request at which it is reminded of; undefined: never. */
  readonly signatureReminders?: ReminderSchedule;
  /** How long the response to a request with an idempotency key is stored. */
  readonly idempotency: number;
  /** Idempotency keys of one owner that are stored at a time. */
  readonly idempotencyKeys: number;
  /** Access codes that a signer may try within `codeWindow`. */
  readonly codeTries: number;
  readonly codeWindow: number;
  /** Wrong codes after which a link is locked for good. */
  readonly codeFailures: number;
  /** Organizations that one person may create within 24 hours. 0: no limit. */
  readonly organizationsPerDay: number;
  /** Mails of one priority within an hour (mails/mail-admission.ts). 0: no limit. */
  readonly mailsToAddress: number;
  readonly mailsOfOrganization: number;
  readonly mailsOfPerson: number;
  /** The part of the last two, in percent, with which a new organization and a new account begin. */
  readonly mailsAtStart: number;
}

/** The sender of a request: IP address and user agent, '' where unknown. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

/** File contents, the signed URLs that lead to them, the keys that seal PDF files, and the encryption of stored secrets. */
export interface Storage {
  readonly store: BlobStore;
  readonly signedUrls: SignedUrls;
  readonly sealer: Sealer;
  readonly vault: Vault;
  /** What converts office files to PDF, such as `Gotenberg`; without it, they are not converted. */
  readonly office?: string;
}

/** The moment of an organization at which rows are read. */
export interface Past {
  readonly organizationId: string;
  /** After the transaction of this event. */
  readonly sequence: bigint;
}

/** The argument of every domain function: the viewer and the services. */
export interface Context {
  readonly db: Database;
  readonly storage: Storage;
  readonly viewer: Viewer;
  readonly limits: Limits;
  readonly requestId: string;
  readonly client?: Client;
  /** The tool through which an agent acts, such as `mcp:tasks.create`; each event records it. */
  readonly via?: string;
  /** Over HTTP: logs a failure that does not fail the request. */
  readonly report?: (error: unknown) => void;
  /** In requests over HTTP; without it, accounts are not managed. */
  readonly accounts?: AccountService;
  /** The size of the response, where several operations make one; by default each has its own. */
  readonly response?: ResponseSize;
  /** Set where rows are read as they were: `db` then shows only those (domain/history/past-context.ts). */
  readonly past?: Past;
  /** Over HTTP: to be called when the rows that were read so far are not referred to any more, where more follow. */
  readonly releaseRows?: () => void;
}
