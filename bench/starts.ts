import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type Contender, docgraph, start } from './contenders.ts';
import type { Data } from './data.ts';
import { memoryOf } from './proc.ts';
import { median, race, targetsOf } from './rounds.ts';
import { printStarts, type Start } from './table.ts';
import { documentList } from './work/document-list.ts';
import type { Call } from './work.ts';

const ROUNDS = 5;
/** In ms from the first response until the memory at rest is read. */
const REST = 5_000;
const LOAD = { rounds: 1, seconds: 5, connections: 10, warm: true };

/**
 * Time from the start to the first response, and memory at rest and after the list page at 10 connections; of Docgraph also on the
 * embedded database.
 */
export async function measureStarts(
  contenders: readonly Contender[],
  url: string,
  data: Data,
  firstCall: (contender: Contender, data: Data) => Call,
): Promise<Start[]> {
  const rows: Start[] = [];
  for (const each of contenders) rows.push(await startsOf(each, url, data, firstCall(each, data)));
  rows.push(await embeddedStarts());
  printStarts(rows);
  return rows;
}

async function startsOf(contender: Contender, url: string, data: Data, call: Call): Promise<Start> {
  const starts: Required<Start>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const running = await start(contender, url, call, data.key);
    await pause(REST);
    const restMiB = running.memory();
    if (round === 0) await race(targetsOf(documentList, [running], data).slice(0, 1), data.key, LOAD);
    const { startMs, memory } = running;
    starts.push({ name: contender.name, startMs, restMiB, busyMiB: memory() });
    await running.stop();
  }
  return { ...medians(contender.name, starts), busyMiB: starts[0]?.busyMiB };
}

const medians = (name: string, starts: readonly Start[]): Start => ({
  name,
  startMs: median(starts.map(({ startMs }) => startMs)),
  restMiB: median(starts.map(({ restMiB }) => restMiB)),
});

/** With the demo workspace, which a start before these has created. */
async function embeddedStarts(): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), 'docgraph-bench-embedded-'));
  const name = 'Docgraph, embedded database';
  try {
    await embeddedStart(name, folder, 0);
    const starts: Start[] = [];
    for (let round = 0; round < ROUNDS; round++) starts.push(await embeddedStart(name, folder, REST));
    return medians(name, starts);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Until it prints that it is ready; memory `rest` ms later. */
async function embeddedStart(name: string, folder: string, rest: number): Promise<Start> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: folder, PORT: '20405', OCR_LANGUAGES: 'off' };
  const began = performance.now();
  const child = spawn(process.execPath, ['--max-semi-space-size=32', docgraph.program], {
    env: { ...env, STOP_DELAY_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (/ready/.test(line)) break;
  if (child.exitCode !== null) throw new Error(`${name} does not start.`);
  const startMs = performance.now() - began;
  await pause(rest);
  const restMiB = memoryOf(child.pid);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return { name, startMs, restMiB };
}
