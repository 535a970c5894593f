import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDataFolder } from '../support/servers/embedded-folder.ts';
import { freePort, type ServerProcess, start } from '../support/servers/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'docgraph-stop-'));
let port: number;
let server: ServerProcess;
const open = () =>
  start(port, { DATA_DIR: folder, DATABASE_URL: '', STOP_DELAY_SECONDS: '3', LOG_LEVEL: 'info' });

let organizationId: string;
let projectId: string;
let key: string;

beforeAll(async () => {
  const { organization, project, owner } = await newDataFolder(folder);
  [organizationId, projectId, key] = [organization.id, project.id, owner.key];
  port = await freePort();
  server = await open();
}, 120_000);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const api = (path: string, init: RequestInit = {}) => {
  const base = `${server.url}/api/v1/organizations/${organizationId}/projects/${projectId}`;
  return fetch(base + path, { ...init, headers: { Authorization: `Bearer ${key}` } });
};

describe('a process that gets SIGTERM', () => {
  it('first reports not ready, completes open requests, keeps the received bytes of an upload, and exits with 0', async () => {
    const { UniqueId, SignedUrl } = (await (await api('/documentUploads')).json()) as Record<string, string>;
    const begun = await fetch(SignedUrl as string, {
      method: 'PUT',
      headers: { 'x-goog-resumable': 'start' },
    });
    const session = begun.headers.get('location') as string;
    const upload = request(session, {
      method: 'PUT',
      headers: { 'Content-Range': 'bytes 0-1048575/2097152', 'Content-Length': 2 ** 20 },
    });
    upload.on('error', () => {});
    await new Promise((sent) => upload.write(Buffer.alloc(600_000, 'a'), sent));
    await expect.poll(() => readdirSync(join(folder, 'files/incoming'))).toHaveLength(1);
    const cut = new Promise((resolve) => upload.on('close', resolve));

    const exit = server.end('SIGTERM');
    while ((await fetch(`${server.url}/readyz`)).status !== 503)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const served = await api('/documents');
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await exit).toBe(0);
    await cut;
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();

    server = await open();
    const progress = await fetch(session, {
      method: 'PUT',
      headers: { 'Content-Range': 'bytes */2097152', 'Content-Length': '0' },
      redirect: 'manual',
    });
    expect([progress.status, progress.headers.get('range')]).toEqual([308, 'bytes=0-599999']);
    const rest = await fetch(session, {
      method: 'PUT',
      headers: { 'Content-Range': 'bytes 600000-2097151/2097152' },
      body: Buffer.alloc(2 ** 21 - 600_000, 'a'),
    });
    expect(rest.status).toBe(200);
    const confirmed = await api(`/documentUploads?uniqueId=${UniqueId}`, {
      method: 'PUT',
      body: JSON.stringify([{ UniqueId, OriginalFilename: 'a.txt', OriginalFileSize: 2 ** 21 }]),
    });
    expect(confirmed.status).toBe(200);
  }, 180_000);

  it('leaves a log without secrets', async () => {
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'));
    // It is written in batches.
    await expect.poll(() => lines().length, { timeout: 20_000 }).toBeGreaterThan(2);
    for (const secret of [key, 'eyJ']) expect(lines().join('\n')).not.toContain(secret);
  });
});

describe('a second process on the same folder', () => {
  it('is refused, and the first continues', async () => {
    await expect(start(await freePort(), { DATA_DIR: folder, DATABASE_URL: '' })).rejects.toThrow(
      /ended with 1:[\s\S]*is in use by another process/,
    );
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  }, 120_000);
});

describe('a process without a reachable database', () => {
  it('reports it in one line, and exits with 1', async () => {
    const gone = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    const env = { DATA_DIR: folder, DATABASE_URL: gone, DATABASE_WAIT_SECONDS: '1' };
    await expect(start(await freePort(), env)).rejects.toThrow(
      /ended with 1:[\s\S]*PostgreSQL at 127\.0\.0\.1:\d+ cannot be reached: connect ECONNREFUSED/,
    );
  }, 120_000);
});
