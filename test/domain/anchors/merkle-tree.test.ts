import { describe, expect, it } from 'vitest';
import {
  consistencyPath,
  inclusionPath,
  isConsistent,
  leafHash,
  rangeHash,
  rootByInclusion,
} from '../../../src/domain/anchors/merkle-tree.ts';
import { toHex } from '../../../src/lib/text/hex.ts';

/** Entries and roots of the test vectors that implementations of Certificate Transparency share. */
const ENTRIES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS: Record<number, string> = {
  1: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  2: 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  3: 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  7: 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  8: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
};

/** Sizes around powers of two, and between them. */
const MAX_SIZE = 70;

const treeOf = (size: number) => {
  const leaves = Array.from({ length: size }, (_, index) => leafHash(Uint8Array.of(index)));
  const hashOf = rangeHash((index) => leaves[index] as (typeof leaves)[number]);
  return { leaves, hashOf, root: hashOf(0, size) };
};

const flip = (path: readonly Uint8Array[], at: number) =>
  path.map((hash, index) =>
    index === at ? hash.map((byte, offset) => (offset === 7 ? byte ^ 1 : byte)) : hash,
  );

const sizes = Array.from({ length: MAX_SIZE }, (_, index) => index + 1);

describe('a tree', () => {
  it.each(Object.entries(ROOTS))('of %s entries has the root of RFC 9162', (size, root) => {
    const leaves = ENTRIES.map((entry) => leafHash(Buffer.from(entry, 'hex')));
    const hashOf = rangeHash((index) => leaves[index] as (typeof leaves)[number]);
    expect(toHex(hashOf(0, Number(size)))).toBe(root);
  });

  it('has for each entry a path that leads to its root, and to no other place', () => {
    for (const size of sizes) {
      const { leaves, hashOf, root } = treeOf(size);
      for (const [index, leaf] of leaves.entries()) {
        const path = inclusionPath(hashOf, index, size);
        const at = { size, index };
        expect({ ...at, root: rootByInclusion(leaf, index, size, path) }).toEqual({ ...at, root });
        for (const level of path.keys())
          expect(rootByInclusion(leaf, index, size, flip(path, level))).not.toEqual(root);
        expect(rootByInclusion(leaf, index, size, [...path, root])).toBeUndefined();
        expect(rootByInclusion(leaf, size, size, path)).toBeUndefined();
        if (size > 1) {
          expect(rootByInclusion(leaf, (index + 1) % size, size, path)).not.toEqual(root);
          expect(rootByInclusion(leaf, index, size, path.slice(1))).toBeUndefined();
        }
      }
    }
  });

  it('has a path from each earlier root, which shows that entries were only added', () => {
    for (const size of sizes) {
      const { hashOf, root } = treeOf(size);
      for (let from = 1; from <= size; from++) {
        const [older, newer] = [
          { size: from, root: hashOf(0, from) },
          { size, root },
        ];
        const path = consistencyPath(hashOf, from, size);
        expect({ from, size, ok: isConsistent(older, newer, path) }).toEqual({ from, size, ok: true });
        for (const level of path.keys()) expect(isConsistent(older, newer, flip(path, level))).toBe(false);
        expect(isConsistent(older, newer, [...path, root])).toBe(false);
        expect(isConsistent({ ...older, root: leafHash(root) }, newer, path)).toBe(false);
        expect(isConsistent(older, { ...newer, root: leafHash(root) }, path)).toBe(false);
      }
    }
  });

  it('does not continue a larger one, or an empty one', () => {
    const { root } = treeOf(3);
    expect(isConsistent({ size: 4, root }, { size: 3, root }, [])).toBe(false);
    expect(isConsistent({ size: 0, root }, { size: 3, root }, [])).toBe(false);
  });
});
