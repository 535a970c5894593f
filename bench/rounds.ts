import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ask, headersOf, LIMIT, type Running } from './contenders.ts';
import { DATABASE, type Data } from './data.ts';
import { backendsOf, usedSince } from './proc.ts';
import type { Call, Tongue, Work } from './work.ts';

/** One contender at one piece of work, in one of its tongues. */
export interface Lane {
  name: string;
  running: Running;
  call: Call;
}

export interface Sample {
  rate: number;
  total: number;
  p50: number;
  p99: number;
  /** Until each connection had an answer, when all are opened at once, in milliseconds. */
  opened: number;
  failed: number;
  /** Processor time for a request, in milliseconds: of the server's process, and of the database. */
  cpu: number;
  databaseCpu: number;
  /** How much memory it came to hold, in MiB, where that was measured. */
  memory?: number;
}

export interface Result {
  name: string;
  /** Requests per second as a part of the limit's in the same round: the median, the least and the greatest. */
  ratio: number;
  least: number;
  greatest: number;
  /** Medians over the rounds. */
  rate: number;
  p50: number;
  p99: number;
  opened: number;
  failed: number;
  cpu: number;
  databaseCpu: number;
  memory?: number;
}

/** All contenders at one piece of work. */
export interface Race {
  id: string;
  title: string;
  results: Result[];
}

export interface Settings {
  rounds: number;
  seconds: number;
  connections: number;
  /** They have done this work before. */
  warm?: boolean;
  /** Requests that fail are a figure, and do not end it all. */
  mayFail?: boolean;
}

export const lanesOf = (work: Work, all: Running[], data: Data): Lane[] => {
  const calls = work.calls(data);
  return all.flatMap((running) =>
    running.contender.tongues.flatMap((tongue: Tongue) => {
      const call = calls[tongue];
      const name = tongue === 'rest' ? `${running.contender.name}, REST` : running.contender.name;
      return call ? [{ name, running, call }] : [];
    }),
  );
};

/** Throws unless everyone answers the same. */
export async function requireSameAnswers(work: Work, lanes: Lane[], key: string): Promise<void> {
  const { same = (answer) => (answer as { data: unknown }).data } = work;
  const answers = await Promise.all(
    lanes.map(async ({ running, call }) => plain(same(await ask(running.url, call, key)))),
  );
  for (const [index, answer] of answers.entries())
    if (!isDeepStrictEqual(answer, answers[0]))
      throw new Error(
        `${work.id}: ${lanes[index]?.name} answers\n${JSON.stringify(answer).slice(0, 1500)}\nand ${lanes[0]?.name}\n${JSON.stringify(answers[0]).slice(0, 1500)}`,
      );
}

/** Times are compared as instants, and large numbers as numbers: JSON has several ways to write both. */
const plain = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value) => {
      if (name === 'size') return Number(value);
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
        ? new Date(value).toISOString()
        : value;
    }),
  );

/** Seconds of load for what compiles as it runs: on a new process, and before the first round; and before each turn, when pools reopen. */
const COLD = 15;
const WARM_UP = 4;
const REOPEN = 2;

const warmed = new WeakSet<Running>();

async function warmUp(lane: Lane, key: string, settings: Settings): Promise<void> {
  await measure(lane, key, { ...settings, seconds: warmed.has(lane.running) ? WARM_UP : COLD });
  warmed.add(lane.running);
}

export async function race(lanes: Lane[], key: string, settings: Settings): Promise<Result[]> {
  if (!settings.warm) for (const lane of lanes) await warmUp(lane, key, settings);
  const samples = await takeTurns(lanes, settings.rounds, (lane) => measure(lane, key, settings));
  const limit = samples[lanes.findIndex(({ name }) => name === LIMIT)] ?? samples[0];
  return lanes.map(({ name }, index) => summary(name, samples[index] as Sample[], limit as Sample[]));
}

/** What each was measured at in each round: in an order that moves on with each, so that a noisy minute hits all alike. */
export async function takeTurns<One, Measured>(
  all: readonly One[],
  rounds: number,
  measured: (one: One) => Promise<Measured>,
): Promise<Measured[][]> {
  const samples = all.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < all.length; turn++) {
      const index = (turn + round) % all.length;
      samples[index]?.push(await measured(all[index] as One));
    }
  return samples;
}

/** A turn of which only this much was measured. */
export const sampleOf = (rate: number, cpu = Number.NaN): Sample => ({
  ...{ rate, cpu, total: Number.NaN, p50: Number.NaN, p99: Number.NaN },
  ...{ opened: Number.NaN, failed: 0, databaseCpu: Number.NaN },
});

export function summary(name: string, samples: Sample[], limit: Sample[]): Result {
  const ratios = samples.map(({ rate }, round) => rate / (limit[round] as Sample).rate);
  const mid = (of: keyof Sample) => median(samples.map((sample) => sample[of] ?? Number.NaN));
  return {
    name,
    ratio: median(ratios),
    least: Math.min(...ratios),
    greatest: Math.max(...ratios),
    rate: mid('rate'),
    p50: mid('p50'),
    p99: mid('p99'),
    opened: mid('opened'),
    failed: mid('failed'),
    cpu: mid('cpu'),
    databaseCpu: mid('databaseCpu'),
    memory: mid('memory'),
  };
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

/** One turn. Throws when a request fails. */
async function measure({ name, running, call }: Lane, key: string, settings: Settings): Promise<Sample> {
  const before = { cpu: running.cpu(), database: backendsOf(DATABASE) };
  const { warm, ...sample } = await load({
    url: running.url + call.path,
    method: call.method,
    headers: headersOf(key),
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    connections: settings.connections,
    warmUp: REOPEN,
    seconds: settings.seconds,
  });
  if (sample.failed > 0 && !settings.mayFail) throw new Error(`${name}: ${sample.failed} requests failed`);
  const requests = sample.total + warm;
  return {
    ...sample,
    cpu: (running.cpu() - before.cpu) / requests,
    databaseCpu: usedSince(before.database, DATABASE) / requests,
  };
}

const LOAD = fileURLToPath(new URL('./load.js', import.meta.url));

function load(options: object): Promise<Omit<Sample, 'cpu'> & { warm: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LOAD, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.once('exit', (code) =>
      code === 0
        ? resolve(JSON.parse(Buffer.concat(chunks).toString()))
        : reject(new Error('The load failed.')),
    );
  });
}
