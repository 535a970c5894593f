/**
 * Uploads and downloads of one large file through the byte endpoints, compared with node:fs streams behind node:http that
 * only copy bytes. Each round is a new server with an empty folder.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSignedUrls } from '../../src/files/transfer/signed-url.ts';
import { newId } from '../../src/lib/id.ts';
import { cpuOf, peakOf } from '../proc.ts';
import { type Race, type Sample, sampleOf, summary, takeTurns } from '../rounds.ts';

const MIB = 2 ** 20;
const SECRET = Buffer.alloc(32, 7);
const HOUR = 3_600_000;
/** The one that also syncs before it answers, and the one that takes a SHA-256 beside, are what an honest receipt costs. */
const KINDS = ['Plain', 'Plain, synced', 'Plain, hashed', 'Docgraph'];

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

/** What a task took: MiB a second, milliseconds of processor time for a MiB, and how much memory it came to hold. */
async function sampled(pid: number, size: number, task: () => Promise<void>): Promise<Sample> {
  const [idle, before] = [peakOf(pid), cpuOf(pid)];
  const took = await seconds(task());
  const mebibytes = size / MIB;
  return {
    ...sampleOf(mebibytes / took, (cpuOf(pid) - before) / mebibytes),
    memory: peakOf(pid) - idle,
  };
}

const WAYS = ['upload', 'download', 'next-download'] as const;

async function round(kind: string, size: number): Promise<Record<(typeof WAYS)[number], Sample>> {
  const dir = mkdtempSync(join(tmpdir(), 'docgraph-bench-'));
  const program = fileURLToPath(new URL('./byte-server.ts', import.meta.url));
  const server = fork(program, [kind, dir, SECRET.toString('hex')]);
  try {
    const [port] = await once(server, 'message');
    const pid = server.pid as number;
    const ticket = { key: newId('Blob'), maxSize: size };
    const file = { ...ticket, filename: 'file', contentType: 'application/octet-stream', inline: false };
    const addresses = createSignedUrls(SECRET, `http://127.0.0.1:${port}`);
    const [up, down] = await Promise.all([addresses.upload(ticket, HOUR), addresses.download(file, HOUR)]);
    const upload = await sampled(pid, size, () => send(new URL(up), size));
    const fetched = () => sampled(pid, size, () => fetchAll(new URL(down), size));
    return { upload, download: await fetched(), 'next-download': await fetched() };
  } finally {
    server.kill();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** One file of so many MiB up and down, as a part of what plain streams do in the same time; its rates are MiB a second. */
export async function raceFiles(mebibytes: number, rounds: number): Promise<Race[]> {
  const samples = await takeTurns(KINDS, rounds, (kind) => round(kind, mebibytes * MIB));
  return WAYS.map((way) => {
    const all = samples.map((each) => each.map((both) => both[way]));
    const results = KINDS.map((kind, index) => summary(kind, all[index] ?? [], all[0] ?? []));
    return {
      id: `${way}-${mebibytes}-mib`,
      title: `The ${way.replace('-', ' ')} of ${mebibytes} MiB, in MiB a second`,
      results,
    };
  });
}
