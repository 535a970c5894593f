import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BlobStore } from '../../../src/files/store/store.ts';
import { newId } from '../../../src/lib/id.ts';
import { heldSource, listed, newKey, put, readAll, sha256, source } from './objects.ts';

/** A store to test, and the same one as another process would see it: without what this one remembers. */
export interface TestStore {
  store: BlobStore;
  reopen: () => Promise<BlobStore>;
}

const failing = (code: string) => expect.objectContaining({ code });

/** What every store has to do. `open` makes an empty one. */
export function storeContract(open: () => Promise<TestStore>): void {
  describe('an object', () => {
    it('is written in chunks, finished, and read back', async () => {
      const { store } = await open();
      const [key, bytes] = [newKey(), randomBytes(2 ** 20 + 1)];
      expect(await store.append(key, 0, source(bytes.subarray(0, 10), bytes.subarray(10, 700_000)))).toBe(
        700_000,
      );
      expect(await store.stat(key)).toMatchObject({ size: 700_000, finished: false });
      expect(await store.append(key, 700_000, source(bytes.subarray(700_000)))).toBe(bytes.length);
      expect(await store.finish(key, bytes.length)).toEqual({ size: bytes.length, sha256: sha256(bytes) });
      const stat = await store.stat(key);
      expect(stat).toMatchObject({ size: bytes.length, finished: true });
      expect(Math.abs(Date.now() - Number(stat?.modifiedAt))).toBeLessThan(60_000);
      expect((await readAll(store, key)).equals(bytes)).toBe(true);
    });

    it.each([0, 5, 2 ** 20 + 1, 6 * 2 ** 20])('of %i bytes is written whole in one call', async (size) => {
      const { store, reopen } = await open();
      const [key, bytes] = [newKey(), randomBytes(size)];
      const [first, rest] = [bytes.subarray(0, size / 2), bytes.subarray(size / 2)];
      const written = { size, sha256: sha256(bytes) };
      expect(await store.write(key, source(first, rest))).toEqual(written);
      expect(await (await reopen()).stat(key)).toMatchObject({ size, finished: true });
      expect((await readAll(store, key)).equals(bytes)).toBe(true);
      expect(await store.finish(key, size)).toEqual(written);
      await expect(store.write(key, source(Buffer.from('other')))).rejects.toEqual(failing('finished'));
    });

    it('is continued where another process stopped, and finished by a third', async () => {
      const { store, reopen } = await open();
      const [key, bytes] = [newKey(), randomBytes(3_000)];
      await store.append(key, 0, source(bytes.subarray(0, 1_000)));
      await (await reopen()).append(key, 1_000, source(bytes.subarray(1_000)));
      expect((await (await reopen()).finish(key, 3_000)).sha256).toEqual(sha256(bytes));
      expect((await store.finish(key, 3_000)).sha256).toEqual(sha256(bytes));
    });

    it('may be empty', async () => {
      const { store } = await open();
      const key = newKey();
      expect(await store.finish(key, 0)).toEqual({ size: 0, sha256: sha256(Buffer.alloc(0)) });
      expect(await store.stat(key)).toMatchObject({ size: 0, finished: true });
      expect((await readAll(store, key)).length).toBe(0);
    });

    it('is read in ranges with both ends included', async () => {
      const { store } = await open();
      const bytes = randomBytes(5_000);
      const key = await put(store, bytes);
      for (const [start, end] of [
        [0, 0],
        [4_999, 4_999],
        [0, 4_999],
        [17, 3_000],
      ] as const)
        expect((await readAll(store, key, { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true);
    });

    it('keeps its bytes when the source reuses its buffer', async () => {
      const { store } = await open();
      const key = newKey();
      const memory = Buffer.alloc(1_000);
      async function* reusing() {
        for (let letter = 97; letter < 100; letter++) yield memory.fill(letter);
      }
      await store.append(key, 0, reusing());
      const { sha256: digest } = await store.finish(key, 3_000);
      const expected = Buffer.concat(['a', 'b', 'c'].map((letter) => Buffer.alloc(1_000, letter)));
      expect(digest).toEqual(sha256(expected));
      expect((await readAll(store, key)).equals(expected)).toBe(true);
    });

    it('does not change once it is finished', async () => {
      const { store, reopen } = await open();
      const key = await put(store, Buffer.from('final'));
      for (const each of [store, await reopen()]) {
        await expect(each.append(key, 5, source(Buffer.from('!')))).rejects.toEqual(failing('finished'));
        await expect(each.append(key, 0, source(Buffer.from('other')))).rejects.toEqual(failing('finished'));
        await each.discard(key);
        await expect(each.finish(key, 4)).rejects.toEqual(failing('offset'));
        expect(await each.finish(key, 5)).toEqual({ size: 5, sha256: sha256(Buffer.from('final')) });
        expect((await readAll(each, key)).toString()).toBe('final');
      }
    });
  });

  describe('nothing', () => {
    it('is known of an object that was never written', async () => {
      const { store } = await open();
      expect(await store.stat(newKey())).toBeUndefined();
      await expect(store.read(newKey())).rejects.toEqual(failing('missing'));
      await expect(store.finish(newKey(), 5)).rejects.toEqual(failing('offset'));
      await store.discard(newKey());
      await store.remove(newKey());
      expect(await listed(store)).toEqual([]);
    });

    it('is read of an object before it is finished', async () => {
      const { store } = await open();
      const key = newKey();
      await store.append(key, 0, source(Buffer.from('half')));
      await expect(store.read(key)).rejects.toEqual(failing('missing'));
    });

    it('is written at another place than the end', async () => {
      const { store } = await open();
      const key = newKey();
      await store.append(key, 0, source(Buffer.from('abc')));
      for (const offset of [0, 2, 4])
        await expect(store.append(key, offset, source(Buffer.from('X')))).rejects.toEqual(failing('offset'));
      await expect(store.write(key, source(Buffer.from('X')))).rejects.toEqual(failing('offset'));
      await expect(store.finish(key, 2)).rejects.toEqual(failing('offset'));
      await expect(store.finish(key, 4)).rejects.toEqual(failing('offset'));
      await store.finish(key, 3);
      expect((await readAll(store, key)).toString()).toBe('abc');
    });

    it.each([
      ['a path', '../../etc/passwd'],
      ['an absolute path', '/etc/passwd'],
      ['an id of something else', newId('Document')],
      ['half an id', 'blb_'],
      ['an id and more', `${newKey()}/x`],
      ['an id in capitals', newKey().toUpperCase()],
      ['an id with NUL', `${newKey()}\0`],
      ['an id and a line', `${newKey()}\n`],
      ['no text', ''],
    ])('is done with %s as a key', async (_, key) => {
      const { store } = await open();
      await expect(store.stat(key)).rejects.toThrow(TypeError);
      await expect(store.append(key, 0, source(Buffer.from('x')))).rejects.toThrow(TypeError);
      await expect(store.write(key, source(Buffer.from('x')))).rejects.toThrow(TypeError);
      await expect(store.discard(key)).rejects.toThrow(TypeError);
      await expect(store.finish(key, 0)).rejects.toThrow(TypeError);
      await expect(store.read(key)).rejects.toThrow(TypeError);
      await expect(store.remove(key)).rejects.toThrow(TypeError);
    });
  });

  describe('a source that breaks off', () => {
    it.each([
      'append',
      'write',
    ] as const)('keeps the received bytes of %s, and rethrows its error', async (call) => {
      const { store, reopen } = await open();
      const [key, bytes] = [newKey(), randomBytes(900_000)];
      const broken = new Error('the cable was pulled');
      async function* breaking() {
        yield bytes.subarray(0, 800_000);
        throw broken;
      }
      const writing = call === 'write' ? store.write(key, breaking()) : store.append(key, 0, breaking());
      await expect(writing).rejects.toBe(broken);
      expect(await (await reopen()).stat(key)).toMatchObject({ size: 800_000, finished: false });
      await store.append(key, 800_000, source(bytes.subarray(800_000)));
      expect((await store.finish(key, bytes.length)).sha256).toEqual(sha256(bytes));
    });
  });

  describe('two concurrent calls', () => {
    it.each(['append', 'write'] as const)('never both write, the first by %s', async (call) => {
      const { store } = await open();
      const key = newKey();
      const paused = heldSource(Buffer.from('first '), Buffer.from('writer'));
      const writing = call === 'write' ? store.write(key, paused.bytes) : store.append(key, 0, paused.bytes);
      await paused.reached;
      await expect(store.write(key, source(Buffer.from('second')))).rejects.toEqual(failing('busy'));
      await expect(store.append(key, 0, source(Buffer.from('second')))).rejects.toEqual(failing('busy'));
      await expect(store.discard(key)).rejects.toEqual(failing('busy'));
      await expect(store.remove(key)).rejects.toEqual(failing('busy'));
      await expect(store.finish(key, 6)).rejects.toEqual(failing('busy'));
      paused.goOn();
      await writing;
      expect(await store.finish(key, 12)).toMatchObject({ size: 12 });
      expect((await readAll(store, key)).toString()).toBe('first writer');
    });

    it('finish it once among many attempts', async () => {
      const { store } = await open();
      const key = newKey();
      await store.append(key, 0, source(Buffer.from('bytes')));
      const ends = await Promise.allSettled(Array.from({ length: 20 }, () => store.finish(key, 5)));
      const done = ends.filter((end) => end.status === 'fulfilled').map(({ value }) => value);
      expect(done.length).toBeGreaterThan(0);
      for (const each of done) expect(each).toEqual({ size: 5, sha256: sha256(Buffer.from('bytes')) });
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toEqual(failing('busy'));
    });

    it('of which one begins and one ends leave one whole object', async () => {
      const { store } = await open();
      for (let turn = 0; turn < 20; turn++) {
        const key = newKey();
        await store.append(key, 0, source(Buffer.from('abc')));
        const [finished] = await Promise.allSettled([
          store.finish(key, 3),
          store.discard(key).then(() => store.append(key, 0, source(Buffer.from('other')))),
        ]);
        const stat = await store.stat(key);
        if (finished.status === 'fulfilled') expect(stat).toMatchObject({ size: 3, finished: true });
        else expect(stat?.finished ?? false).toBe(false);
      }
    });
  });

  describe('what is dropped', () => {
    it('can be written again from the beginning', async () => {
      const { store } = await open();
      const key = newKey();
      await store.append(key, 0, source(Buffer.from('a false start')));
      await store.discard(key);
      expect(await store.stat(key)).toBeUndefined();
      await expect(store.finish(key, 13)).rejects.toEqual(failing('offset'));
      await store.append(key, 0, source(Buffer.from('anew')));
      expect((await store.finish(key, 4)).sha256).toEqual(sha256(Buffer.from('anew')));
    });

    it('does not exist after removal, finished or not', async () => {
      const { store } = await open();
      const [whole, half] = [await put(store, Buffer.from('whole')), newKey()];
      await store.append(half, 0, source(Buffer.from('half')));
      for (const key of [whole, half]) {
        await store.remove(key);
        expect(await store.stat(key)).toBeUndefined();
        await expect(store.read(key)).rejects.toEqual(failing('missing'));
        await store.remove(key);
      }
    });
  });

  describe('the owner', () => {
    it('is the database that was recorded first, until another takes its place', async () => {
      const { store, reopen } = await open();
      expect(await store.owner()).toBeUndefined();
      const recorded = await Promise.all(['a', 'b', 'c'].map(async (name) => (await reopen()).own(name)));
      expect(new Set(recorded).size).toBe(1);
      expect(await (await reopen()).owner()).toBe(recorded[0]);
      expect(await store.own('d', true)).toBe('d');
      expect(await (await reopen()).owner()).toBe('d');
      expect(await listed(store)).toEqual([]);
    });
  });

  describe('a listing', () => {
    it('has every object once, and goes on after any of them', async () => {
      const { store } = await open();
      const keys: string[] = [];
      for (let count = 0; count < 40; count++) {
        const key = newKey();
        keys.push(key);
        await store.append(key, 0, source(Buffer.alloc(count + 1)));
        if (count % 3) await store.finish(key, count + 1);
      }
      const all = await listed(store);
      expect(all.map(({ key }) => key).sort()).toEqual([...keys].sort());
      for (const { key, size, finished } of all) {
        const position = keys.indexOf(key);
        expect([size, finished]).toEqual([position + 1, position % 3 > 0]);
      }
      for (const at of [0, 13, 38, 39]) {
        const rest = await listed(store, all[at]?.key);
        expect(rest).toEqual(all.slice(at + 1));
      }
    });
  });
}
