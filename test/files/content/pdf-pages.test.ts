import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { countPages } from '../../../src/files/content/pdf/pdf-pages.ts';
import { Busy } from '../../../src/lib/fair-slots.ts';
import { sourceOf } from './bytes.ts';
import { bombPdf, CATALOG, encryptedPdf, packedPdf, pages, pdf } from './pdf-source.ts';

const count = (bytes: Buffer) => pagesOf(countPages(sourceOf(bytes)));

const pagesOf = async (counted: ReturnType<typeof countPages>) => {
  const count = await counted;
  return 'pages' in count ? count.pages : null;
};

/** A huge file without an end to find: PDFium reads it all in search of objects. */
const endless = (size: number) => {
  const block = Buffer.alloc(2 ** 18, '7 0 obj<</A[1 2 3]>>endobj\n');
  return {
    size,
    read: async (start: number, end: number) =>
      start === 0
        ? Buffer.concat([Buffer.from('%PDF-1.7\n'), block.subarray(0, end - 8)])
        : block.subarray(0, end - start + 1),
  };
};

describe('counting pages', () => {
  it('counts with a table, with object streams, and at every size', async () => {
    expect(await count(pdf(pages(1)))).toBe(1);
    expect(await count(pdf(pages(3)))).toBe(3);
    expect(await count(pdf(pages(250)))).toBe(250);
    expect(await count(packedPdf(250))).toBe(250);
  });

  it('counts a document that is only protected against changes', async () => {
    expect(await count(encryptedPdf(2, 'owner'))).toBe(2);
  });

  it('returns the number of each of many concurrent files', async () => {
    const sizes = Array.from({ length: 20 }, (_, index) => index + 1);
    expect(await Promise.all(sizes.map((size) => count(pdf(pages(size)))))).toEqual(sizes);
  });

  it('reads only the pieces it needs of a 3 GiB file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pages-'));
    const file = await open(join(folder, 'large.pdf'), 'w+');
    try {
      const start = 3 * 2 ** 30;
      await file.write('%PDF-1.7\n', 0);
      const { bytesWritten } = await file.write(pdf(pages(12), '', start), 0, null, start);
      let total = 0;
      const read = async (from: number, to: number) => {
        total += to - from + 1;
        return (await file.read(Buffer.alloc(to - from + 1), 0, to - from + 1, from)).buffer;
      };
      expect(await countPages({ size: start + bytesWritten, read })).toEqual({ pages: 12 });
      expect(total).toBeLessThan(2 ** 20);
    } finally {
      await file.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('broken and hostile files', () => {
  it.each([
    ['nothing but its header', Buffer.from('%PDF-1.7\n')],
    ['cut off', pdf(pages(250)).subarray(0, 8_000)],
    ['claiming a million pages', pdf(pages(3, 1_000_000))],
    ['without a page', pdf(pages(0))],
    ['whose page tree runs in a circle', pdf([CATALOG, loop(5, 3), loop(5, 2)])],
    ['whose page tree runs in a circle, uncounted', pdf([CATALOG, loop(-1, 3), loop(0, 2)])],
    ['that nobody can open', encryptedPdf(2, 'user')],
    ['nested a hundred thousand deep', pdf([CATALOG, `<</Type/Pages/Count 1/Kids${'['.repeat(1e5)}3 0 R`])],
    ['with a page tree ten thousand levels deep', pdf([CATALOG, ...chain(10_000)])],
  ])('knows no number for one %s', async (_, bytes) => {
    expect(await count(bytes)).toBeNull();
  });

  it('stops inflating a stream of 2 GiB long before its end', async () => {
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 10);
    expect(await count(bombPdf())).toBeNull();
    clearInterval(watch);
    expect(peak - before).toBeLessThan(450 * 2 ** 20);
    expect(await count(pdf(pages(3)))).toBe(3);
  });

  it('stops at the time limit within a computation', async () => {
    const files = [endless(2 ** 32 - 1), endless(2 ** 32 - 1), endless(2 ** 32 - 1)];
    const counts = await Promise.allSettled(files.map((file) => countPages(file, 400)));
    expect(counts.map((each) => 'reason' in each && each.reason.reason)).toEqual(['time', 'time', 'time']);
    expect(await count(pdf(pages(3)))).toBe(3);
  });

  it('does not open files larger than PDFium can address', async () => {
    const read = () => Promise.reject(new Error('must not be read'));
    expect(await countPages({ size: 2 ** 32, read })).toEqual({ fault: 'COSTLY' });
  });

  it('stops when the storage stalls, and rethrows its error', async () => {
    const size = 1_000;
    const stalled = countPages({ size, read: () => new Promise(() => {}) }, 200);
    await expect(stalled).rejects.toBeInstanceOf(Busy);
    await expect(countPages({ size, read: () => Promise.reject(new Error('gone')) })).rejects.toThrow('gone');
    expect(await count(pdf(pages(3)))).toBe(3);
  });
});

describe('the reason for a missing number', () => {
  it.each([
    ['BROKEN', Buffer.from('%PDF-1.7\n')],
    ['LOCKED', encryptedPdf(2, 'user')],
    ['BROKEN', pdf(pages(0))],
  ])('is %s', async (fault, bytes) => {
    expect(await countPages(sourceOf(bytes))).toEqual({ fault });
  });
});

describe('the process', () => {
  it('does not keep the process running, and prints nothing', async () => {
    const script = `
      const { countPages } = await import('./src/files/content/pdf/pdf-pages.ts');
      const bytes = Buffer.from('${pdf(pages(2)).toString('base64')}', 'base64');
      const read = async (start, end) => bytes.subarray(start, end + 1);
      console.log(await countPages({ size: bytes.length, read }), await countPages({ size: 50, read }));`;
    const flags = ['--import', 'tsx', '--input-type=module', '-e', script];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, flags, { timeout: 20_000 });
    expect(stdout).toBe("{ pages: 2 } { fault: 'BROKEN' }\n");
    expect(stderr).toBe('');
  });
});

function loop(claimed: number, next: number): string {
  return `<</Type/Pages/Count ${claimed}/Kids[${next} 0 R]/Parent ${next} 0 R>>`;
}

/** Page tree nodes, each with the next as its only child, and no page at the end. */
function chain(levels: number): string[] {
  return Array.from({ length: levels }, (_, index) => `<</Type/Pages/Count 1/Kids[${index + 3} 0 R]>>`);
}
