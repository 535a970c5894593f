import { describe, expect, it } from 'vitest';
import { mapInSlices } from '../../src/lib/slices.ts';

function busyFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe('mapping in slices', () => {
  it('keeps the order, and gives the index', async () => {
    const results = await mapInSlices(['a', 'b', 'c'], (item, index) => `${item}${index}`);
    expect(results).toEqual(['a0', 'b1', 'c2']);
  });

  it('lets other work run between slices of a list that takes long', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await mapInSlices(Array.from({ length: 10 }), () => busyFor(6));
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('rejects with what the function throws', async () => {
    const fail = () => {
      throw new Error('broken');
    };
    await expect(mapInSlices([1], fail)).rejects.toThrow('broken');
  });
});
