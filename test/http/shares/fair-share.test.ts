import { describe, expect, it } from 'vitest';
import { FairShare } from '../../../src/http/shares/fair-share.ts';

/** As many slots as the key gets. */
function takeAll(share: FairShare, key: string) {
  const slots = [];
  for (let slot = share.take(key); slot; slot = share.take(key)) slots.push(slot);
  return slots;
}

describe('slots that are shared', () => {
  it('are two thirds for one key, and a part for each further one', () => {
    const share = new FairShare(90);
    const counts = ['a', 'b', 'c', 'd'].map((key) => takeAll(share, key).length);
    expect(counts).toEqual([60, 20, 7, 2]);
    expect(share.taken).toBe(89);
  });

  it('are there for a key with few while many keys want all they can get', () => {
    const share = new FairShare(1_000);
    for (let turn = 0; turn < 1_000; turn++) for (let key = 0; key < 50; key++) share.take(`many ${key}`);
    expect(share.take('few')).toBeDefined();
  });

  it('are free again once they are released, however often', () => {
    const share = new FairShare(3);
    const [first] = takeAll(share, 'a');
    expect(share.take('a')).toBeUndefined();
    first?.release();
    first?.release();
    expect(share.taken).toBe(1);
    expect(share.take('a')).toBeDefined();
  });

  it('count for the key to which they move, if that has a share left', () => {
    const share = new FairShare(9);
    const [first, ...others] = takeAll(share, 'network');
    expect(others).toHaveLength(5);
    expect([...Array(3)].map(() => first?.move('organization'))).toEqual([true, true, true]);
    expect(share.taken).toBe(6);
    expect(takeAll(share, 'organization')).toHaveLength(2);
    takeAll(share, 'third');
    expect(others.map((slot) => slot.move('organization'))).toEqual(Array(5).fill(false));
    first?.release();
    for (const slot of others) slot.release();
    expect(share.take('organization')).toBeDefined();
  });
});
