import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTarIndex } from '../../../src/lib/tar/tar-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'docgraph-tar-'));
afterAll(() => rmSync(folder, { recursive: true }));

mkdirSync(join(folder, 'bag'));
writeFileSync(join(folder, 'bag/a'), 'content');
symlinkSync('/etc/passwd', join(folder, 'bag/link'));

const indexOf = (bytes: Buffer) =>
  readTarIndex(async (start, end) => bytes.subarray(start, end + 1), bytes.length);

function archive(...args: string[]): Buffer {
  const path = join(folder, 'written.tar');
  execFileSync('tar', ['--format=pax', '-C', folder, '-cf', path, ...args]);
  return readFileSync(path);
}

describe('readTarIndex', () => {
  it('reads what tar has written, without its folders', async () => {
    const bytes = archive('--exclude=link', 'bag');
    const [only, ...others] = await indexOf(bytes);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ path: 'bag/a', size: 7 });
  });

  it.each([
    ['a link', () => archive('bag/link'), 'neither a file nor a folder'],
    ['a path that leads out', () => archive('-P', '--transform=s,^,../,', 'bag/a'), 'no path in an archive'],
    ['an absolute path', () => archive('-P', '--transform=s,^,/,', 'bag/a'), 'no path in an archive'],
    ['a path twice', () => archive('bag/a', 'bag/a', '--hard-dereference'), 'twice in the archive'],
    ['another file', () => Buffer.alloc(2_048, 'x'), 'no tar archive'],
    ['an archive without its end', () => archive('bag/a').subarray(0, 2_048), 'not complete'],
    ['an empty file', () => Buffer.alloc(0), 'not complete'],
  ])('refuses %s', async (_, bytes, text) => {
    await expect(indexOf(bytes())).rejects.toThrow(text);
  });

  it('refuses a header that was changed', async () => {
    const bytes = archive('bag/a');
    const at = bytes.indexOf('bag/a\0');
    bytes[at] = 'c'.charCodeAt(0);
    await expect(indexOf(bytes)).rejects.toThrow('damaged');
  });
});
