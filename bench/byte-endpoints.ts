/**
 * Uploads and downloads of one large file through the byte endpoints, beside node:fs streams behind node:http that do
 * no more than move bytes. Prints throughput and the peak of the server's memory; rounds take turns, medians count.
 * Run: npx tsx bench/byte-endpoints.ts [MiB] [rounds]
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { newId } from '../src/lib/id.ts';
import { byteDoor } from '../src/storage/byte-endpoints.ts';
import { diskStore } from '../src/storage/disk.ts';
import { signedAddresses } from '../src/storage/signed-address.ts';

const MIB = 2 ** 20;
const SECRET = Buffer.alloc(32, 7);
/** plain-synced also syncs before it answers, plain-hashed takes a SHA-256 beside: what an honest receipt costs. */
const KINDS = ['docgraph', 'plain', 'plain-synced', 'plain-hashed'] as const;
type Kind = (typeof KINDS)[number];

/** The server process: takes PUT, answers GET, at one path for each. */
async function serveKind(kind: Kind, dir: string): Promise<number> {
  if (kind !== 'docgraph') return servePlain(join(dir, 'file'), kind);
  const app = byteDoor({
    store: await diskStore(dir),
    addresses: signedAddresses(SECRET, 'http://bench.test'),
    limits: { uploadBytes: 2 ** 40, reservation: 3_600_000 },
    received: async () => true,
    report: console.error,
  });
  return new Promise((resolve) => serve({ fetch: app.fetch, port: 0 }, ({ port }) => resolve(port)));
}

async function servePlain(path: string, kind: Kind): Promise<number> {
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method === 'GET') return void pipeline(createReadStream(path), outgoing);
    const hash = createHash('sha256');
    if (kind === 'plain-hashed') incoming.on('data', (chunk) => hash.update(chunk));
    await pipeline(incoming, createWriteStream(path));
    if (kind !== 'plain') {
      const file = await open(path, 'r+');
      await file.sync();
      await file.close();
    }
    outgoing.end();
  });
  await once(server.listen(0), 'listening');
  return (server.address() as { port: number }).port;
}

async function send(url: URL, size: number): Promise<void> {
  const outgoing = request(url, { method: 'PUT', headers: { 'Content-Length': size } });
  const answer = once(outgoing, 'response');
  const chunk = Buffer.alloc(MIB, 'Docgraph');
  for (let sent = 0; sent < size; sent += chunk.length)
    if (!outgoing.write(chunk)) await once(outgoing, 'drain');
  outgoing.end();
  const [incoming] = await answer;
  incoming.resume();
  await once(incoming, 'end');
  if (incoming.statusCode !== 200) throw new Error(`the upload was answered ${incoming.statusCode}`);
}

async function fetchAll(url: URL, size: number): Promise<void> {
  const outgoing = request(url).end();
  const [incoming] = await once(outgoing, 'response');
  let received = 0;
  for await (const chunk of incoming) received += chunk.length;
  if (received !== size) throw new Error(`the download gave ${received} bytes`);
}

async function seconds(task: Promise<void>): Promise<number> {
  const from = performance.now();
  await task;
  return (performance.now() - from) / 1000;
}

/** The most memory that the process has had so far, in MiB (Linux). */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The processor time of the process so far, in seconds (Linux, 100 ticks a second). */
const workOf = (pid: number): number => {
  const [user, system] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
  return (Number(user) + Number(system)) / 100;
};

async function round(kind: Kind, size: number) {
  const dir = mkdtempSync(join(tmpdir(), 'docgraph-bench-'));
  const server = fork(fileURLToPath(import.meta.url), ['serve', kind, dir]);
  try {
    const [port] = await once(server, 'message');
    const ticket = { key: newId('Blob'), maxSize: size };
    const addresses = signedAddresses(SECRET, `http://127.0.0.1:${port}`);
    const file = { ...ticket, filename: 'file', contentType: 'application/octet-stream', inline: false };
    const [up, down] = await Promise.all([
      addresses.upload(ticket, 3_600_000),
      addresses.download(file, 3_600_000),
    ]);
    const [idle, pid] = [peakOf(server.pid as number), server.pid as number];
    const before = workOf(pid);
    const upload = await seconds(send(new URL(up), size));
    const [uploadWork, afterUpload] = [workOf(pid) - before, peakOf(pid) - idle];
    const download = await seconds(fetchAll(new URL(down), size));
    const downloadWork = workOf(pid) - before - uploadWork;
    return { upload, uploadWork, afterUpload, download, downloadWork, afterDownload: peakOf(pid) - idle };
  } finally {
    server.kill();
    rmSync(dir, { recursive: true, force: true });
  }
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

async function measure(mebibytes: number, rounds: number): Promise<void> {
  const results = new Map<Kind, Awaited<ReturnType<typeof round>>[]>(KINDS.map((kind) => [kind, []]));
  for (let turn = 0; turn < rounds; turn++)
    for (const kind of KINDS) results.get(kind)?.push(await round(kind, mebibytes * MIB));
  const of = (kind: Kind, figure: keyof Awaited<ReturnType<typeof round>>) =>
    median((results.get(kind) ?? []).map((each) => each[figure]));
  for (const kind of KINDS)
    console.log(
      [
        kind.padEnd(12),
        `upload ${(mebibytes / of(kind, 'upload')).toFixed(0)} MiB/s`,
        `download ${(mebibytes / of(kind, 'download')).toFixed(0)} MiB/s`,
        `ratio to plain ${(of('plain', 'upload') / of(kind, 'upload')).toFixed(2)} up`,
        `${(of('plain', 'download') / of(kind, 'download')).toFixed(2)} down`,
        `work ${of(kind, 'uploadWork').toFixed(2)} s up, ${of(kind, 'downloadWork').toFixed(2)} s down`,
        `memory +${of(kind, 'afterUpload').toFixed(0)} MiB, +${of(kind, 'afterDownload').toFixed(0)} MiB`,
      ].join('  '),
    );
}

const [first, kind, dir] = process.argv.slice(2);
if (first === 'serve') process.send?.(await serveKind(kind as Kind, dir as string));
else await measure(Number(first ?? 1024), Number(kind ?? 3));
