import { tenantOf, type Viewer } from '../../domain/kernel/viewer.ts';

/** Whose bytes they are: `user` is one of the tenant's. */
export interface Reader {
  tenant: string;
  user: string;
}

/** The network, for what has no tenant or user. */
export const readerOf = (viewer: Viewer, network: string): Reader => ({
  tenant: tenantOf(viewer) ?? network,
  user: viewer.userId || network,
});

/** Shares of the bytes of all: of a tenant, and of one user of it. */
const TENANT_SHARE = 1 / 4;
const USER_SHARE = 1 / 8;

/** Sums of bytes by tenant, by user and of all, of which tenants and users have shares. */
export class ReaderBytes {
  readonly limit: number;
  readonly #sums = new Map<string, number>();
  #total = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get total(): number {
    return this.#total;
  }

  ofTenant(tenant: string): number {
    return this.#sumOf(tenantKey(tenant));
  }

  /** Negative bytes are no longer counted. */
  add(reader: Reader, bytes: number): void {
    this.#total += bytes;
    for (const key of sharesOf(reader)) {
      const sum = this.#sumOf(key) + bytes;
      if (sum > 0) this.#sums.set(key, sum);
      else this.#sums.delete(key);
    }
  }

  /** The key of a share of the reader that `bytes` more would exceed, and of which others than these `own` bytes are in use. */
  exceededShare(reader: Reader, bytes: number, own = 0): string | undefined {
    const [ofTenant, ofUser] = sharesOf(reader);
    const exceeds = (key: string, share: number) => {
      const sum = this.#sumOf(key);
      return sum > own && sum + bytes > share * this.limit;
    };
    if (exceeds(ofTenant, TENANT_SHARE)) return ofTenant;
    return exceeds(ofUser, USER_SHARE) ? ofUser : undefined;
  }

  #sumOf(key: string): number {
    return this.#sums.get(key) ?? 0;
  }
}

/** The keys of the shares of a reader: of the tenant, and of the user. */
export const sharesOf = ({ tenant, user }: Reader): [string, string] => [
  tenantKey(tenant),
  JSON.stringify([tenant, user]),
];

const tenantKey = (tenant: string): string => JSON.stringify([tenant]);
