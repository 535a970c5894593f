import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start } from '../support/servers/processes.ts';

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
});
