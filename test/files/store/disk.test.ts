import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { diskStore } from '../../../src/files/store/disk.ts';
import { listed, newKey, put, readAll, sha256, source } from './objects.ts';
import { storeContract } from './store-contract.ts';

const root = mkdtempSync(join(tmpdir(), 'docgraph-disk-'));
let folders = 0;
const newFolder = () => join(root, `store-${++folders}`);

async function open() {
  const dir = newFolder();
  return { dir, store: await diskStore(dir), reopen: () => diskStore(dir) };
}

const incoming = (dir: string, key: string) => join(dir, 'incoming', key);
const finished = (dir: string, key: string) => join(dir, 'blobs', key.slice(-2), key);

/** Another process, which does one thing with the store and says when. */
const others: ChildProcess[] = [];
async function inOther(dir: string, script: string, limit = ''): Promise<ChildProcess> {
  const url = (file: string) =>
    JSON.stringify(new URL(`../../../src/files/store/${file}`, import.meta.url).href);
  const code = `
    import { diskStore } from ${url('disk.ts')};
    const store = await diskStore(${JSON.stringify(dir)});
    ${script}`;
  const command = `${limit} exec "$0" --import tsx --input-type=module -e "$1"`;
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const other = spawn('bash', ['-c', command, process.execPath, code], { stdio: [...stdio] });
  others.push(other);
  return other;
}

async function kill(other: ChildProcess): Promise<void> {
  if (other.exitCode !== null || other.signalCode !== null) return;
  const exit = once(other, 'exit');
  other.kill('SIGKILL');
  await exit;
}

afterEach(() => Promise.all(others.splice(0).map(kill)));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a store on disk', () => {
  storeContract(open);

  it('lets nobody else in', async () => {
    const { dir, store } = await open();
    const whole = await put(store, Buffer.from('x'));
    const half = newKey();
    await store.append(half, 0, source(Buffer.from('x')));
    const mode = (path: string) => statSync(path).mode & 0o777;
    const inside = [join(dir, 'blobs'), join(dir, 'incoming'), join(dir, 'blobs', whole.slice(-2))];
    expect([dir, ...inside].map(mode)).toEqual([0o700, 0o700, 0o700, 0o700]);
    expect([finished(dir, whole), incoming(dir, half)].map(mode)).toEqual([0o600, 0o600]);
  });

  it('refuses a folder that is a file, or whose parts lead elsewhere', async () => {
    const file = newFolder();
    writeFileSync(file, '');
    await expect(diskStore(file)).rejects.toThrow();
    const [dir, elsewhere] = [newFolder(), newFolder()];
    mkdirSync(dir);
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(dir, 'blobs'));
    await expect(diskStore(dir)).rejects.toThrow('is not a folder');
  });
});

describe('a link in the place of a file', () => {
  it('is not read, and not written through', async () => {
    const { dir, store } = await open();
    const precious = join(root, 'precious');
    writeFileSync(precious, 'precious');
    const [half, whole] = [newKey(), newKey()];
    symlinkSync(precious, incoming(dir, half));
    await expect(store.append(half, 8, source(Buffer.from('!')))).rejects.toThrow('ELOOP');
    await expect(store.append(half, 0, source(Buffer.from('!')))).rejects.toThrow('ELOOP');
    await expect(store.finish(half, 8)).rejects.toThrow('ELOOP');
    mkdirSync(join(dir, 'blobs', whole.slice(-2)), { recursive: true });
    symlinkSync(precious, finished(dir, whole));
    await expect(store.read(whole)).rejects.toThrow('ELOOP');
    expect([await store.stat(half), await store.stat(whole)]).toEqual([undefined, undefined]);
    expect(readFileSync(precious, 'utf8')).toBe('precious');
  });

  it('is not followed where a folder should be', async () => {
    const { dir, store } = await open();
    const [key, elsewhere] = [newKey(), newFolder()];
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, key), 'secret');
    symlinkSync(elsewhere, join(dir, 'blobs', key.slice(-2)));
    expect(await store.stat(key)).toBeUndefined();
    await expect(store.read(key)).rejects.toMatchObject({ code: 'missing' });
    await store.append(key, 0, source(Buffer.from('mine')));
    await expect(store.finish(key, 4)).rejects.toThrow('is not a folder');
    expect(readFileSync(join(elsewhere, key), 'utf8')).toBe('secret');
    expect(await listed(store)).toMatchObject([{ key, size: 4, finished: false }]);
  });
});

describe('what lies in the folder and is not ours', () => {
  it('is left out of the listing', async () => {
    const { dir, store } = await open();
    const key = await put(store, Buffer.from('x'));
    writeFileSync(join(dir, 'incoming', 'notes.txt'), '');
    writeFileSync(join(dir, 'blobs', 'notes.txt'), '');
    writeFileSync(join(dir, 'blobs', key.slice(-2), newKey().slice(0, -2).concat('!!')), '');
    mkdirSync(incoming(dir, newKey()));
    expect((await listed(store)).map((each) => each.key)).toEqual([key]);
  });
});

describe('a process that dies', () => {
  it('between the last byte and the end leaves an object that another one ends', async () => {
    const { dir, store } = await open();
    const key = newKey();
    await store.append(key, 0, source(Buffer.from('all of it')));
    const other = await inOther(
      dir,
      `await store.stat('${key}'); process.send('up'); setInterval(() => {}, 1000);`,
    );
    await once(other, 'message');
    await kill(other);
    expect((await (await diskStore(dir)).finish(key, 9)).sha256).toEqual(sha256(Buffer.from('all of it')));
  });

  it('in the middle of a piece leaves a beginning that another one goes on with', async () => {
    const { dir, store, reopen } = await open();
    const [key, bytes] = [newKey(), randomBytes(3 * 2 ** 20)];
    const other = await inOther(
      dir,
      `async function* bytes() {
         const all = Buffer.from('${bytes.subarray(0, 1_000).toString('hex')}', 'hex');
         yield all;
         for (let count = 0; count < 3_000; count++) yield all;
         process.send('sent');
         await new Promise(() => setInterval(() => {}, 1000));
       }
       await store.append('${key}', 0, bytes());`,
    );
    await once(other, 'message');
    await expect(store.append(key, 0, source(bytes))).rejects.toMatchObject({ code: 'busy' });
    await expect(store.discard(key)).rejects.toMatchObject({ code: 'busy' });
    await kill(other);
    const { size = 0 } = (await store.stat(key)) ?? {};
    expect(size).toBeLessThanOrEqual(3_001_000);
    await store.append(key, size, source(Buffer.from('the rest')));
    await store.finish(key, size + 8);
    const written = await readAll(await reopen(), key);
    const expected = Buffer.concat([...Array(3_001).fill(bytes.subarray(0, 1_000))]).subarray(0, size);
    expect(written.equals(Buffer.concat([expected, Buffer.from('the rest')]))).toBe(true);
  });

  it('does not use a stored hash for a file that has changed since', async () => {
    const { dir, store } = await open();
    const key = newKey();
    await store.append(key, 0, source(Buffer.from('abc')));
    writeFileSync(incoming(dir, key), 'xyz');
    utimesSync(incoming(dir, key), new Date(), new Date());
    expect((await store.finish(key, 3)).sha256).toEqual(sha256(Buffer.from('xyz')));
  });
});

describe('two processes', () => {
  it('never both write, and the second continues after the first', async () => {
    const { dir, store } = await open();
    const key = newKey();
    const other = await inOther(
      dir,
      `async function* bytes() {
         yield Buffer.from('theirs ');
         process.send('writing');
         await new Promise((resolve) => process.once('message', resolve));
       }
       await store.append('${key}', 0, bytes());
       process.send('done');
       process.disconnect();`,
    );
    await once(other, 'message');
    await expect(store.append(key, 0, source(Buffer.from('ours')))).rejects.toMatchObject({ code: 'busy' });
    await expect(store.finish(key, 0)).rejects.toMatchObject({ code: 'busy' });
    const done = once(other, 'message');
    other.send('go on');
    await done;
    await store.append(key, 7, source(Buffer.from('and ours')));
    await store.finish(key, 15);
    expect((await readAll(store, key)).toString()).toBe('theirs and ours');
  });
});

describe('a large object', () => {
  it.each([
    ['in one piece', []],
    ['in pieces that begin and end anywhere', [1, 32 * 2 ** 20 + 300_001, 33 * 2 ** 20, 36_345_678]],
  ])('is whole after it came %s', async (_, cuts) => {
    const { store, reopen } = await open();
    const [key, bytes] = [newKey(), randomBytes(38 * 2 ** 20 + 7)];
    for (const [index, start] of [0, ...cuts].entries())
      await store.append(key, start, source(bytes.subarray(start, cuts[index])));
    const expected = { size: bytes.length, sha256: sha256(bytes) };
    expect(await store.finish(key, bytes.length)).toEqual(expected);
    expect(await (await reopen()).finish(key, bytes.length)).toEqual(expected);
    expect((await readAll(store, key)).equals(bytes)).toBe(true);
  });
});

describe('objects of which few bytes have come', () => {
  it('need little memory, however many are written at once', async () => {
    const { store } = await open();
    const stop = new AbortController();
    const received: number[] = [];
    async function* begin() {
      yield Buffer.from('x');
      received.push(1);
      await once(stop.signal, 'abort');
    }
    const before = process.memoryUsage().external;
    const writes = Array.from({ length: 100 }, () => store.append(newKey(), 0, begin()));
    await expect.poll(() => received.length).toBe(writes.length);
    const bytesUsed = process.memoryUsage().external - before;
    stop.abort();
    expect(await Promise.all(writes)).toEqual(writes.map(() => 1));
    expect(bytesUsed).toBeLessThan(10 * 2 ** 20);
  });
});

describe('a full disk', () => {
  it.each([
    ['small', 100_000, 2_000],
    ['large', 33 * 2 ** 20, 35_000],
  ])('refuses the piece of a %s object, keeps nothing of it, and takes the rest once there is room', async (_, size, most) => {
    const { dir, store } = await open();
    const [key, bytes] = [newKey(), randomBytes(size)];
    await store.append(key, 0, source(bytes));
    const other = await inOther(
      dir,
      `process.on('SIGXFSZ', () => {});
       async function* bytes() { for (let count = 0; count < 64; count++) yield Buffer.alloc(65_536); }
       const refused = await store.append('${key}', ${size}, bytes()).catch((error) => error);
       process.send({ code: refused.code, cause: refused.cause?.code });
       process.disconnect();`,
      `ulimit -f ${most};`,
    );
    expect((await once(other, 'message'))[0]).toEqual({ code: 'full', cause: 'EFBIG' });
    expect(statSync(incoming(dir, key)).size).toBe(size);
    await store.append(key, size, source(Buffer.from('!')));
    expect((await store.finish(key, size + 1)).sha256).toEqual(
      sha256(Buffer.concat([bytes, Buffer.from('!')])),
    );
  });
});

describe('an object that is removed', () => {
  it('can still be read by readers that have begun', async () => {
    const { dir, store } = await open();
    const key = await put(store, randomBytes(2_000_000));
    const reading = await store.read(key);
    await store.remove(key);
    expect(existsSync(finished(dir, key))).toBe(false);
    expect(Buffer.concat(await reading.toArray()).length).toBe(2_000_000);
    expect(readdirSync(join(dir, 'incoming'))).toEqual([]);
  });
});
