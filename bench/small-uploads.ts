/**
 * Files of 1 MiB through REST v1: reserve, upload, confirm, each connection one after the other. Beside it the same three
 * calls with nothing but node:http, node:fs and pg (peers/plain-uploads.js). Rounds take turns; the median of their ratios
 * counts. Run: npm run build && npx tsx bench/small-uploads.ts [rounds] [seconds]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Data, makeDatabase } from './data.ts';
import { cpuOf, memoryOf } from './proc.ts';
import { median } from './rounds.ts';

const CONNECTIONS = 10;
/** No text: reading that comes after the confirmation, and is another piece of work. */
const FILE = randomBytes(2 ** 20);

interface Contender {
  name: string;
  child: ChildProcess;
  /** One file from its reservation to its confirmation. */
  file: (agent: Agent) => Promise<unknown>;
}

interface Round {
  rate: number;
  /** Milliseconds of processor time for a file, of the server's process. */
  cpu: number;
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
  const child = await start('../dist/src/main.js', /ready/, { ...env, REQUESTS_PER_MINUTE_ADDRESS: '0' });
  const { organizationId, projectId } = data.small;
  const uploads = `http://127.0.0.1:${port}/api/v1/organizations/${organizationId}/projects/${projectId}/documentUploads`;
  const headers = { authorization: `Bearer ${data.key}`, 'content-type': 'application/json' };
  const file = async (agent: Agent) => {
    const { UniqueId, SignedUrl } = JSON.parse(await call(agent, 'GET', uploads, headers));
    await call(agent, 'PUT', SignedUrl, {}, FILE);
    const named = [{ UniqueId, OriginalFilename: `${UniqueId}.bin`, OriginalFileSize: FILE.length }];
    await call(agent, 'PUT', `${uploads}?uniqueId=${UniqueId}`, headers, JSON.stringify(named));
  };
  return { name: 'Docgraph', child, file };
}

async function plain(databaseUrl: string, folder: string): Promise<Contender> {
  const port = '20404';
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: port };
  const child = await start('./peers/plain-uploads.js', /ready/, env);
  const file = async (agent: Agent) => {
    const url = `http://127.0.0.1:${port}/${await call(agent, 'GET', `http://127.0.0.1:${port}/`)}`;
    await call(agent, 'PUT', url, {}, FILE);
    await call(agent, 'POST', url);
  };
  return { name: 'Plain', child, file };
}

async function run({ child, file }: Contender, seconds: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const [from, before] = [performance.now(), cpuOf(child.pid)];
  const until = from + seconds * 1000;
  let done = 0;
  const connection = async () => {
    for (; performance.now() < until; done++) await file(agent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return {
    rate: (done * 1000) / (performance.now() - from),
    cpu: (cpuOf(child.pid) - before) / done,
  };
}

async function race(contenders: [Contender, Contender], rounds: number, seconds: number): Promise<void> {
  const results: [Round, Round][] = [];
  for (const each of contenders) await run(each, 5);
  for (let round = 0; round < rounds; round++) {
    const [ours, theirs] = contenders;
    const first = round % 2 === 0 ? await run(ours, seconds) : undefined;
    const peer = await run(theirs, seconds);
    results.push([first ?? (await run(ours, seconds)), peer]);
  }
  for (const [index, { name, child }] of contenders.entries()) {
    const rounds = results.map((each) => each[index] as Round);
    const [rate, cpu] = [median(rounds.map(({ rate }) => rate)), median(rounds.map(({ cpu }) => cpu))];
    console.log(
      `${name.padEnd(8)} ${rate.toFixed(0)} files/s, ${cpu.toFixed(1)} ms of processor time each, ${memoryOf(child.pid).toFixed(0)} MiB`,
    );
  }
  const ratios = results.map(([ours, theirs]) => ours.rate / theirs.rate);
  console.log(
    `Docgraph at ${median(ratios).toFixed(2)} of plain (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
  );
}

const [rounds = '5', seconds = '3'] = process.argv.slice(2);
const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const folder = mkdtempSync(join(tmpdir(), 'docgraph-bench-'));
const { url, data, drop } = await makeDatabase(server);
const contenders: Contender[] = [];
try {
  contenders.push(await docgraph(url, data, folder), await plain(url, folder));
  await race(contenders as [Contender, Contender], Number(rounds), Number(seconds));
} finally {
  for (const { child } of contenders) child.kill('SIGKILL');
  await drop();
  rmSync(folder, { recursive: true });
}
