import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskStore } from '../../src/files/store/disk.ts';
import { newDataFolder } from '../support/servers/embedded-folder.ts';
import { freePort, start } from '../support/servers/processes.ts';

describe('the first start', () => {
  it('ends with one line where its port is in use, before it makes anything', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-first-'));
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const data = join(folder, 'data');
    await expect(start(port, { DATABASE_URL: '', DATA_DIR: data })).rejects.toThrow(
      new RegExp(`^the server ended with 1:\\nPort ${port} is in use: [^\\n]+\\n$`),
    );
    expect(existsSync(data)).toBe(false);
    other.close();
    rmSync(folder, { recursive: true });
  });

  it('ends with one line where the files are those of another database, and leaves them', async () => {
    const data = mkdtempSync(join(tmpdir(), 'docgraph-first-'));
    await newDataFolder(data);
    await (await diskStore(join(data, 'files'))).own('another');
    await expect(start(await freePort(), { DATABASE_URL: '', DATA_DIR: data })).rejects.toThrow(
      /^the server ended with 1:\n(Opening [^\n]+\n)?The stored files belong to another database\. [^\n]+\n$/,
    );
    expect(readFileSync(join(data, 'files/owner'), 'utf8')).toBe('another\n');
    rmSync(data, { recursive: true });
  });
});
