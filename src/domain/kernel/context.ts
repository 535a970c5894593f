import type { Database } from '../../db/database.ts';
import type { BlobStore } from '../../files/store/store.ts';
import type { SignedAddresses } from '../../files/transfer/signed-url.ts';
import type { Vault } from '../../lib/seal.ts';
import type { Sealer } from '../keys/seal-key.ts';
import type { Viewer } from './viewer.ts';

/** The limits a rule may depend on; times in milliseconds, sizes in bytes. */
export interface Limits {
  readonly pageSize: number;
  readonly pageSizeMax: number;
  readonly batchMax: number;
  /** Points and levels of fields of one operation, also of what a webhook selects. */
  readonly queryCost: number;
  readonly queryDepth: number;
  /** Webhooks of an organization. */
  readonly webhooks: number;
  readonly reservation: number;
  readonly recycleBin: number;
  readonly signedUrl: number;
  readonly uploadBytes: number;
  readonly signingLink: number;
  /** How long the answer to a request with a key of its own is kept. */
  readonly idempotency: number;
  /** Access codes of a signer that may be tried within `codeWindow`. */
  readonly codeTries: number;
  readonly codeWindow: number;
  /** Wrong ones in the life of a link, after which it is locked. */
  readonly codeFailures: number;
}

/** Where a request came from, as far as that is known; '' where it is not. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

/** Where the bytes are, the addresses that lead to them, what they are sealed with, and where secrets are kept. */
export interface Storage {
  readonly store: BlobStore;
  readonly signedUrls: SignedAddresses;
  readonly sealer: Sealer;
  readonly vault: Vault;
}

/** What every rule is given: who asks, and what there is to work with. */
export interface Context {
  readonly db: Database;
  readonly storage: Storage;
  readonly viewer: Viewer;
  readonly limits: Limits;
  readonly requestId: string;
  readonly client?: Client;
}
