import { createHash } from 'node:crypto';

type Bytes = Uint8Array<ArrayBuffer>;

/** The hash of the entries from `start` up to, not including, `end` (RFC 9162 §2.1.1: MTH(D[start:end])). */
export type RangeHash = (start: number, end: number) => Bytes;

const digest = (prefix: number, ...parts: Uint8Array[]): Bytes => {
  const hash = createHash('sha256').update(Uint8Array.of(prefix));
  for (const part of parts) hash.update(part);
  return Uint8Array.from(hash.digest());
};

/** RFC 9162 §2.1.1: the hash of an entry. */
export const leafHash = (entry: Uint8Array): Bytes => digest(0, entry);

/** RFC 9162 §2.1.1: the hash of two subtrees. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Bytes => digest(1, left, right);

/** The largest power of two below n, for n > 1. */
const splitOf = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

/**
 * The hashes of ranges over these hashes of entries; each is computed once. `stored`: the hashes of ranges that need not be
 * computed, by start and end.
 */
export function rangeHash(
  leaf: (index: number) => Bytes,
  stored: (start: number, end: number) => Bytes | undefined = () => undefined,
): RangeHash {
  const computed = new Map<string, Bytes>();
  const hashOf: RangeHash = (start, end) => {
    if (end - start === 1) return leaf(start);
    const key = `${start} ${end}`;
    const present = stored(start, end) ?? computed.get(key);
    if (present) return present;
    const middle = start + splitOf(end - start);
    const hash = nodeHash(hashOf(start, middle), hashOf(middle, end));
    computed.set(key, hash);
    return hash;
  };
  return hashOf;
}

/** RFC 9162 §2.1.3.1: the hashes that lead from the entry at `index` to the root of the first `size` entries, lowest first. */
export function inclusionPath(hashOf: RangeHash, index: number, size: number): Bytes[] {
  const path: Bytes[] = [];
  for (let start = 0, end = size; end - start > 1; ) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      path.unshift(hashOf(middle, end));
      end = middle;
    } else {
      path.unshift(hashOf(start, middle));
      start = middle;
    }
  }
  return path;
}

/** RFC 9162 §2.1.3.2: the root to which the path leads; undefined where the path has another length than in a tree of `size`. */
export function rootByInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | undefined {
  if (index < 0 || index >= size) return undefined;
  let [at, last, root] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      root = nodeHash(sibling, root);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else root = nodeHash(root, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}

/** RFC 9162 §2.1.4.1: the hashes which show that the first `from` of `to` entries are those of an earlier root. 0 < from <= to. */
export function consistencyPath(hashOf: RangeHash, from: number, to: number): Bytes[] {
  const path: Bytes[] = [];
  let [start, end, isWhole] = [0, to, true];
  while (end !== from) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      path.unshift(hashOf(middle, end));
      end = middle;
    } else {
      path.unshift(hashOf(start, middle));
      [start, isWhole] = [middle, false];
    }
  }
  return isWhole ? path : [hashOf(start, end), ...path];
}

/** RFC 9162 §2.1.4.2: whether the path shows that the tree with `newRoot` continues the one with `oldRoot`. */
export function isConsistent(
  { size: from, root: oldRoot }: TreeHead,
  { size: to, root: newRoot }: TreeHead,
  given: readonly Uint8Array[],
): boolean {
  if (from < 1 || from > to) return false;
  if (from === to) return given.length === 0 && isEqual(oldRoot, newRoot);
  const [first, ...path] = Number.isInteger(Math.log2(from)) ? [oldRoot, ...given] : given;
  if (!first) return false;
  let [at, last] = [from - 1, to - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  let [before, after] = [first, first];
  for (const sibling of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [before, after] = [nodeHash(sibling, before), nodeHash(sibling, after)];
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else after = nodeHash(after, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && isEqual(before, oldRoot) && isEqual(after, newRoot);
}

export interface TreeHead {
  size: number;
  root: Uint8Array;
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
