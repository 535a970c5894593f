import type { Database } from '../db/database.ts';
import type { Viewer } from './viewer.ts';

/** The limits a rule may depend on; times in milliseconds. */
export interface Limits {
  readonly pageSize: number;
  readonly pageSizeMax: number;
  readonly batchMax: number;
  readonly reservation: number;
  readonly recycleBin: number;
  readonly signedAddress: number;
  readonly uploadBytes: number;
}

/** What every rule is given: who asks, and what there is to work with. */
export interface Context {
  readonly db: Database;
  readonly viewer: Viewer;
  readonly limits: Limits;
  readonly requestId: string;
}
