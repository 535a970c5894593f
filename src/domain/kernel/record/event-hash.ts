import { createHash } from 'node:crypto';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { toHex } from '../../../lib/text/hex.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A row of `events` without its hash. A row of version 1 has no salt; a redacted one no content and no salt. */
export type HashedEvent = Omit<Prisma.EventCreateManyInput, 'hash' | 'data'> & { data: unknown };

/** The version in which new events are hashed. */
export const HASH_VERSION = 2;

/** Bytes of a salt: without it, short content could be guessed from its hash. */
export const SALT_BYTES = 16;

/**
 * SHA-256 over the previous hash and the row as JSON, with members sorted by name at every depth. Version 2 has the member
 * `dataHash` (see there) in place of `data`, so that the hash stays valid without the content. Version 1 has `data` itself,
 * and leaves out a null clientId, since its first rows were written before that column existed. So do both with `via` and
 * `stateHash`.
 */
export function eventHash(
  previous: Uint8Array,
  { hashVersion = 1, salt, data, redactedById, dataHash: kept, stateHash, ...fields }: HashedEvent,
): Bytes {
  const { clientId = null, via } = fields;
  const states = stateHash ? toHex(stateHash) : undefined;
  const row = { ...fields, via: via ?? undefined, stateHash: states, sequence: String(fields.sequence) };
  if (hashVersion === 1)
    return digest(previous, canonical({ ...row, clientId: clientId ?? undefined, data }));
  const content = redactedById ? kept : dataHash(salt ?? new Uint8Array(), data);
  const hex = toHex(content ?? new Uint8Array());
  return digest(previous, canonical({ ...row, clientId, hashVersion, dataHash: hex }));
}

/** Like eventHash, over a row of version 1 without its content: what an event says of such a row that it redacts. */
export const hashWithoutContent = (previous: Uint8Array, row: HashedEvent): Bytes =>
  eventHash(previous, { ...row, data: undefined });

/** SHA-256 over the salt and the data as JSON with sorted members. */
export const dataHash = (salt: Uint8Array, data: unknown): Bytes => digest(salt, canonical(data));

const digest = (prefix: Uint8Array, text: string): Bytes =>
  Uint8Array.from(createHash('sha256').update(prefix).update(text).digest());

const canonical = (value: unknown): string => JSON.stringify(value, sortMembers);

const sortMembers = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
