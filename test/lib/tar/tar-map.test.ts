import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { readTarIndex } from '../../../src/lib/tar/tar-index.ts';
import { type TarFile, TarMap } from '../../../src/lib/tar/tar-map.ts';

const AT = new Date('2026-11-29T02:14:00Z');

const folder = mkdtempSync(join(tmpdir(), 'docgraph-tar-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* inChunks(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
}

const file = (path: string, bytes: Buffer): TarFile => ({
  path,
  size: bytes.length,
  open: async ({ start, end }) => inChunks(bytes.subarray(start, end + 1)),
});

async function joined(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(part);
  return Buffer.concat(chunks);
}

const contents = fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 6 });
const mapOf = (bytes: Uint8Array[]) =>
  new TarMap(
    bytes.map((each, index) => file(`bag/${index}.bin`, Buffer.from(each))),
    AT,
  );

it('reads any slices, which joined are the whole archive', async () => {
  await fc.assert(
    fc.asyncProperty(contents, fc.array(fc.nat(20_000)), async (bytes, cuts) => {
      const map = mapOf(bytes);
      const whole = await joined(map.read());
      expect(whole.length).toBe(map.size);
      const ends = [...new Set([...cuts.filter((cut) => cut < map.size), map.size])].sort((a, b) => a - b);
      let start = 0;
      const slices: Buffer[] = [];
      for (const end of ends.filter((each) => each > 0)) {
        slices.push(await joined(map.read(start, end - 1)));
        start = end;
      }
      expect(Buffer.concat(slices).equals(whole)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('is read by its own index, with the same files', async () => {
  await fc.assert(
    fc.asyncProperty(contents, async (bytes) => {
      const whole = await joined(mapOf(bytes).read());
      const index = await readTarIndex(async (start, end) => whole.subarray(start, end + 1), whole.length);
      expect(index.map(({ path }) => path)).toEqual(bytes.map((_, position) => `bag/${position}.bin`));
      const read = index.map(({ offset, size }) => Uint8Array.from(whole.subarray(offset, offset + size)));
      expect(read).toEqual(bytes.map((each) => Uint8Array.from(each)));
    }),
    { numRuns: 60 },
  );
});

it('is read by tar and by Python', async () => {
  const bytes = [randomBytes(1_500), randomBytes(512), randomBytes(0)];
  const path = join(folder, 'three.tar');
  writeFileSync(path, await joined(mapOf(bytes).read()));
  expect(execFileSync('tar', ['tf', path]).toString()).toBe('bag/0.bin\nbag/1.bin\nbag/2.bin\n');
  expect(execFileSync('tar', ['xOf', path, 'bag/0.bin']).equals(bytes[0] as Buffer)).toBe(true);
  const script = `import tarfile,sys; print([(m.name, m.size) for m in tarfile.open(sys.argv[1])])`;
  expect(execFileSync('python3', ['-c', script, path]).toString().trim()).toBe(
    "[('bag/0.bin', 1500), ('bag/1.bin', 512), ('bag/2.bin', 0)]",
  );
  expect(readFileSync(path).length % 512).toBe(0);
});

it('says the size of a file above 8 GiB in an extended header, and reads behind it', async () => {
  const size = 9 * 2 ** 30;
  const large: TarFile = {
    path: 'large',
    size,
    open: async ({ start, end }) => inChunks(Buffer.alloc(end - start + 1, 7)),
  };
  const map = new TarMap([large, file('last', Buffer.from('behind'))], AT);
  const read = async (start: number, end: number) => joined(map.read(start, end));
  expect(await readTarIndex(read, map.size)).toEqual([
    { path: 'large', offset: 1_536, size },
    { path: 'last', offset: 1_536 + size + 512, size: 6 },
  ]);
  const script = `import tarfile,sys,io; print(tarfile.TarInfo.frombuf(sys.stdin.buffer.read()[1024:1536], 'ascii', 'strict').name)`;
  const head = await read(0, 1_535);
  expect(execFileSync('python3', ['-c', script], { input: head }).toString().trim()).toBe('large');
});

it('fails where a file has another size than was given', async () => {
  const short = { ...file('short', Buffer.from('abc')), size: 5 };
  await expect(joined(new TarMap([short], AT).read())).rejects.toThrow('another size');
});
