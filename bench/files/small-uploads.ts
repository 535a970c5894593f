/**
 * Files of 1 MiB through REST v1: reserve, upload, confirm, sequentially on each connection. For comparison, the same three
 * calls with only node:http, node:fs and pg (peers/plain-uploads.js).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Data } from '../data.ts';
import { cpuOf } from '../proc.ts';
import { type Race, type Sample, type Settings, sampleOf, summary, takeTurns } from '../rounds.ts';

const CONNECTIONS = 10;
/** In seconds. */
const WARM_UP = 10;
/** No text: reading that comes after the confirmation, and is another piece of work. */
const FILE = randomBytes(2 ** 20);

interface Contender {
  name: string;
  child: ChildProcess;
  /** One file from its reservation to its confirmation. */
  file: (agent: Agent, bytes: Buffer) => Promise<unknown>;
}

async function start(program: string, ready: RegExp, env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=32', fileURLToPath(new URL(program, import.meta.url))],
    {
      env: { ...process.env, DATABASE_POOL: '10', NODE_ENV: 'production', LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    if (ready.test(line)) return child;
  throw new Error(`${program} ended before it was ready.`);
}

async function call(
  agent: Agent,
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body: Buffer | string = '',
): Promise<string> {
  const length = String(Buffer.byteLength(body));
  const outgoing = request(url, { method, agent, headers: { ...headers, 'content-length': length } });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of incoming) text += chunk;
  if (incoming.statusCode !== 200) throw new Error(`${url} answered ${incoming.statusCode}: ${text}`);
  return text;
}

async function docgraph(databaseUrl: string, data: Data, folder: string): Promise<Contender> {
  const port = '20403';
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: port, REQUESTS_PER_MINUTE: '0' };
  const child = await start('../../dist/src/main.js', /ready/, { ...env, REQUESTS_PER_MINUTE_ADDRESS: '0' });
  const { organizationId, projectId } = data.writing;
  const uploads = `http://127.0.0.1:${port}/api/v1/organizations/${organizationId}/projects/${projectId}/documentUploads`;
  const headers = { authorization: `Bearer ${data.key}`, 'content-type': 'application/json' };
  const file = async (agent: Agent, bytes: Buffer) => {
    const { UniqueId, SignedUrl } = JSON.parse(await call(agent, 'GET', uploads, headers));
    await call(agent, 'PUT', SignedUrl, {}, bytes);
    const named = [{ UniqueId, OriginalFilename: `${UniqueId}.bin`, OriginalFileSize: FILE.length }];
    await call(agent, 'PUT', `${uploads}?uniqueId=${UniqueId}`, headers, JSON.stringify(named));
  };
  return { name: 'Docgraph', child, file };
}

async function plain(databaseUrl: string, folder: string): Promise<Contender> {
  const port = '20404';
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: port };
  const child = await start('../peers/plain-uploads.js', /ready/, env);
  const file = async (agent: Agent, bytes: Buffer) => {
    const url = `http://127.0.0.1:${port}/${await call(agent, 'GET', `http://127.0.0.1:${port}/`)}`;
    await call(agent, 'PUT', url, {}, bytes);
    await call(agent, 'POST', url);
  };
  return { name: 'Plain', child, file };
}

async function run({ child, file }: Contender, seconds: number): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const [from, before] = [performance.now(), cpuOf(child.pid)];
  const until = from + seconds * 1000;
  let done = 0;
  const connection = async () => {
    const bytes = Buffer.from(FILE);
    // Each is another file.
    for (; performance.now() < until; done++) await file(agent, randomFillSync(bytes, 0, 16));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return sampleOf((done * 1000) / (performance.now() - from), (cpuOf(child.pid) - before) / done);
}

/** Complete uploads, relative to plain ones in the same time. */
export async function raceUploads(url: string, data: Data, { rounds, seconds }: Settings): Promise<Race[]> {
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-bench-'));
  const contenders: Contender[] = [];
  try {
    contenders.push(await plain(url, folder), await docgraph(url, data, folder));
    for (const each of contenders) await run(each, WARM_UP);
    const samples = await takeTurns(contenders, rounds, (each) => run(each, seconds));
    const results = contenders.map(({ name }, index) =>
      summary(name, samples[index] ?? [], samples[0] ?? []),
    );
    return [{ id: 'upload', title: 'Reserve, upload 1 MiB and confirm', results }];
  } finally {
    for (const { child } of contenders) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}
