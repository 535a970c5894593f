import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diskStore } from '../../../src/files/store/disk.ts';
import { LIMIT, type Listening, listening, send } from '../transfer/byte-server.ts';
import { listed } from './objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'docgraph-full-'));

const mounted = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(mounted)('a disk that fills up (needs the right to mount a tmpfs)', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listening({ store: await diskStore(folder) });
  });
  afterAll(async () => {
    await server.close();
    execFileSync('umount', ['-l', folder]);
  });

  it('answers 507, keeps no row and no part of the file, and takes the next file that fits', async () => {
    const { address, key } = await server.reserve();
    const refused = await send(address, 'PUT', {}, Buffer.alloc(LIMIT, 'x'));
    expect(refused.status).toBe(507);
    expect(server.received).toEqual([]);
    expect((await server.store.stat(key))?.size ?? 0).toBe(0);
    expect((await listed(server.store)).filter(({ size }) => size > 0)).toEqual([]);
    const next = await server.reserve();
    expect((await send(next.address, 'PUT', {}, Buffer.alloc(2 ** 20, 'y'))).status).toBe(200);
    expect(server.received.map((each) => each.key)).toEqual([next.key]);
    expect((await listed(server.store)).filter(({ finished }) => finished)).toHaveLength(1);
    expect(readdirSync(join(folder, 'blobs'))).toHaveLength(1);
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
