import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { pagePictures, TooCostly } from '../../../src/files/content/pictures/page-pictures.ts';
import type { BlobStore } from '../../../src/files/store/store.ts';
import { Busy } from '../../../src/lib/fair-slots.ts';
import { pages, pdf, slowPdf } from './pdf-source.ts';

const file = pdf(pages(5));
const blob = { organizationId: 'org_a', key: 'blb_x', size: file.length };

/** A store of one file, which counts how often it is read. */
function counting() {
  const reads: string[] = [];
  const read: BlobStore['read'] = async (key, range) => {
    reads.push(key);
    return Readable.from([file.subarray(range?.start, (range?.end ?? file.length) + 1)]);
  };
  return { reads, store: { read } as BlobStore };
}

describe('pictures of stored pages', () => {
  it('are drawn once for concurrent and later requests', async () => {
    const { reads, store } = counting();
    const picture = pagePictures(store);
    const images = await Promise.all([1, 2, 3, 4].map(() => picture(blob, 1, 90)));
    expect(new Set(images).size).toBe(1);
    const before = reads.length;
    expect(await picture(blob, 1, 90)).toBe(images[0]);
    expect(reads.length).toBe(before);
  });

  it('are stored separately by page and by width', async () => {
    const picture = pagePictures(counting().store);
    const widths = [await picture(blob, 1, 90), await picture(blob, 1, 91), await picture(blob, 2, 92)];
    expect(widths.map((image) => image?.width)).toEqual([90, 91, 92]);
  });

  it('store that a page has no picture', async () => {
    const { reads, store } = counting();
    const picture = pagePictures(store);
    expect(await picture(blob, 9, 90)).toBeNull();
    const before = reads.length;
    expect(await picture(blob, 9, 90)).toBeNull();
    expect(reads.length).toBe(before);
  });

  it('evict the least recently used', async () => {
    const { reads, store } = counting();
    const picture = pagePictures(store, 3_000);
    const first = await picture(blob, 1, 90);
    await picture(blob, 2, 90);
    expect(await picture(blob, 1, 90)).toBe(first);
    await picture(blob, 3, 90);
    const before = reads.length;
    expect(await picture(blob, 1, 90)).toBe(first);
    expect(reads.length).toBe(before);
    await picture(blob, 2, 90);
    expect(reads.length).toBeGreaterThan(before);
  });

  it('of one organization never evict those of another', async () => {
    const { reads, store } = counting();
    const picture = pagePictures(store, 6_000);
    const first = await picture(blob, 1, 90);
    for (const width of [91, 92, 93, 94, 95, 96])
      await picture({ ...blob, organizationId: 'org_b', key: 'blb_y' }, 1, width);
    const before = reads.length;
    expect(await picture(blob, 1, 90)).toBe(first);
    expect(reads.length).toBe(before);
  });

  it('are not stored as missing after a timeout', async () => {
    const slow = slowPdf(40_000);
    const read: BlobStore['read'] = async (_, range) =>
      Readable.from([slow.subarray(range?.start, (range?.end ?? slow.length) + 1)]);
    const picture = pagePictures({ read } as BlobStore);
    const file = { organizationId: 'org_a', key: 'blb_z', size: slow.length };
    await expect(picture(file, 1, 2_000)).rejects.toBeInstanceOf(TooCostly);
    await expect(picture(file, 1, 2_000)).rejects.toBeInstanceOf(TooCostly);
  }, 300_000);

  it('are refused while too many requests for one file wait', async () => {
    const picture = pagePictures({ read: () => new Promise(() => {}) } as unknown as BlobStore);
    const file = { ...blob, organizationId: 'org_c' };
    for (let page = 1; page <= 50; page++) void picture(file, page, 90).catch(() => {});
    await expect(picture(file, 51, 90)).rejects.toBeInstanceOf(Busy);
  });

  it('are retried after a failure of the storage', async () => {
    let broken = true;
    const { store } = counting();
    const read: BlobStore['read'] = (...wanted) =>
      broken ? Promise.reject(new Error('gone')) : store.read(...wanted);
    const picture = pagePictures({ read } as BlobStore);
    await expect(picture(blob, 1, 90)).rejects.toThrow('gone');
    broken = false;
    expect(await picture(blob, 1, 90)).not.toBeNull();
  });
});
