/**
 * Memory of one server over many requests: `npx tsx bench/memory/run.ts [requests]` (100,000 unless given), against the
 * PostgreSQL of BENCH_DATABASE_URL. Lists, single objects, REST, tasks and comments, each 100th request an upload of 1 MiB,
 * and 30 uploads of 50 MiB in between. Writes `results.json` and `../charts/memory.svg`.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDatabase, type Data, fillDatabase } from '../data.ts';
import { machine } from '../figures.ts';
import { peakOf } from '../proc.ts';
import { comment } from '../work/comment.ts';
import { createTasks } from '../work/create-tasks.ts';
import { documentList } from '../work/document-list.ts';
import { nestedRead } from '../work/nested-read.ts';
import { oneDocument } from '../work/one-document.ts';
import { viewer } from '../work/viewer.ts';
import type { Call } from '../work.ts';
import { memoryChart, type Sample } from './chart.ts';

const REQUESTS = Number(process.argv[2] ?? 100_000);
const STEP = REQUESTS / 20;
const CONNECTIONS = 10;
const LARGE_UPLOADS = 30;
const MIB = 2 ** 20;
/** In ms without requests, after which memory is read once more. */
const REST = 60_000;
const PORT = process.env.PORT ?? '20406';
const TOKEN = randomBytes(16).toString('hex');
const BASE = `http://127.0.0.1:${PORT}`;

async function startServer(databaseUrl: string, folder: string) {
  const program = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
  const unlimited = {
    REQUESTS_PER_MINUTE: '0',
    REQUESTS_PER_MINUTE_ADDRESS: '0',
    CONTENT_READS_PER_MINUTE: '0',
  };
  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT,
    METRICS_TOKEN: TOKEN,
    LOG_LEVEL: 'error',
  };
  const child = spawn(process.execPath, ['--max-semi-space-size=32', program], {
    env: { ...process.env, NODE_ENV: 'production', ...settings, ...unlimited },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (/ready/.test(line)) return child;
  throw new Error('the server ended before it was ready');
}

async function sampleAt(requests: number): Promise<Sample> {
  const answer = await fetch(`${BASE}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await answer.text();
  const mib = (name: string) => Math.round(Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / MIB);
  return {
    requests,
    resident: mib('process_resident_memory_bytes'),
    heapTotal: mib('nodejs_heap_size_total_bytes'),
    heapUsed: mib('nodejs_heap_size_used_bytes'),
    external: mib('nodejs_external_memory_bytes'),
  };
}

async function ask(url: string, init: RequestInit): Promise<string> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok || text.startsWith('{"errors"'))
    throw new Error(`${url} answered ${answer.status}: ${text}`);
  return text;
}

/** Reserves, sends and confirms a file. */
async function upload({ key, writing }: Data, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const uploads = `${BASE}/api/v1/organizations/${writing.organizationId}/projects/${writing.projectId}/documentUploads`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { UniqueId, SignedUrl } = JSON.parse(await ask(uploads, { headers }));
  await ask(SignedUrl, { method: 'PUT', body: bytes });
  const named = [{ UniqueId, OriginalFilename: `${UniqueId}.bin`, OriginalFileSize: bytes.length }];
  await ask(`${uploads}?uniqueId=${UniqueId}`, { method: 'PUT', headers, body: JSON.stringify(named) });
}

/** What is requested in turn. */
function mixOf(data: Data): Call[] {
  const works = [
    documentList,
    oneDocument,
    viewer,
    nestedRead,
    documentList,
    oneDocument,
    comment,
    viewer,
    createTasks,
  ];
  const { organizationId, projectId } = data.small;
  const rest = {
    method: 'GET' as const,
    path: `/api/v1/organizations/${organizationId}/projects/${projectId}/tasks`,
  };
  return [...works.map(({ calls }) => calls(data).graph as Call), rest];
}

/** Keeps the figures so far, so that an interrupted run leaves some. */
async function keep(figures: { samples: Sample[]; peak: number; afterRest?: Sample }): Promise<void> {
  const text = JSON.stringify({ machine: machine(), ...figures }, null, 2);
  await writeFile(new URL('results.json', import.meta.url), `${text}\n`);
  await writeFile(new URL('../charts/memory.svg', import.meta.url), memoryChart(figures.samples));
}

/** Under overload an upload may be refused, and its connection closed: it is sent once more. */
const uploadAgain = (data: Data, bytes: Uint8Array<ArrayBuffer>) =>
  upload(data, bytes).catch(() => upload(data, bytes));

/** Returns the samples; `first` is before the first request. */
async function load(data: Data, pid: number | undefined): Promise<Sample[]> {
  const mix = mixOf(data);
  const headers = { authorization: `Bearer ${data.key}`, 'content-type': 'application/json' };
  const samples = [await sampleAt(0)];
  let next = 0;
  const connection = async () => {
    const small = randomBytes(MIB);
    for (let turn = next++; turn < REQUESTS; turn = next++) {
      const { method, path, body } = mix[turn % mix.length] as Call;
      if (turn % 100 === 7) await uploadAgain(data, randomFillSync(small, 0, 16));
      else if (turn % Math.floor(REQUESTS / LARGE_UPLOADS) === 11)
        await uploadAgain(data, randomBytes(50 * MIB));
      else
        await ask(`${BASE}${path}`, {
          method,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
        });
      if ((turn + 1) % STEP !== 0) continue;
      samples.push(await sampleAt(turn + 1));
      await keep({ samples, peak: Math.round(peakOf(pid)) });
      console.log(JSON.stringify(samples.at(-1)));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return samples;
}

const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const { url, drop } = await createDatabase(server, 'docgraph_memory');
const folder = mkdtempSync(join(tmpdir(), 'docgraph-memory-'));
const data = await fillDatabase(url);
const child = await startServer(url, folder);
try {
  const samples = await load(data, child.pid);
  await pause(REST);
  await keep({ samples, peak: Math.round(peakOf(child.pid)), afterRest: await sampleAt(REQUESTS) });
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  await drop();
  rmSync(folder, { recursive: true });
}
