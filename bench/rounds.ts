import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ask, headersOf, LIMIT, type Running } from './contenders.ts';
import { DATABASE, type Data } from './data.ts';
import { backendsOf, usedSince } from './proc.ts';
import type { Api, Call, Work } from './work.ts';

/** One contender with one piece of work, through one of its APIs. */
export interface Target {
  name: string;
  running: Running;
  call: Call;
}

export interface Sample {
  rate: number;
  total: number;
  p50: number;
  p99: number;
  /** Milliseconds until each connection had a response, when all are opened at once. */
  opened: number;
  failed: number;
  /** Processor time for a request, in milliseconds: of the server's process, and of the database. */
  cpu: number;
  databaseCpu: number;
  /** Peak memory in MiB, if measured. */
  memory?: number;
}

export interface Result {
  name: string;
  /** Requests per second relative to the limit in the same round: median, minimum and maximum. */
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

/** All contenders with one piece of work. */
export interface Race {
  id: string;
  title: string;
  results: Result[];
}

export interface Settings {
  rounds: number;
  seconds: number;
  connections: number;
  /** The contenders are warmed up. */
  warm?: boolean;
  /** Failed requests are counted, and do not end the run. */
  mayFail?: boolean;
}

export const targetsOf = (work: Work, all: Running[], data: Data): Target[] => {
  const calls = work.calls(data);
  return all.flatMap((running) =>
    running.contender.apis.flatMap((api: Api) => {
      const call = calls[api];
      const name = api === 'rest' ? `${running.contender.name}, REST` : running.contender.name;
      return call ? [{ name, running, call }] : [];
    }),
  );
};

/** Throws unless all responses are equal. */
export async function requireSameAnswers(work: Work, targets: Target[], key: string): Promise<void> {
  const { same = (answer) => (answer as { data: unknown }).data } = work;
  const answers = await Promise.all(
    targets.map(async ({ running, call }) => plain(same(await ask(running.url, call, key)))),
  );
  for (const [index, answer] of answers.entries())
    if (!isDeepStrictEqual(answer, answers[0]))
      throw new Error(
        `${work.id}: ${targets[index]?.name} answers\n${JSON.stringify(answer).slice(0, 1500)}\nand ${targets[0]?.name}\n${JSON.stringify(answers[0]).slice(0, 1500)}`,
      );
}

/** Compares times as instants, and large numbers as numbers: both have several representations in JSON. */
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

export async function warmUp(target: Target, key: string, settings: Settings): Promise<void> {
  await measure(target, key, { ...settings, seconds: warmed.has(target.running) ? WARM_UP : COLD });
  warmed.add(target.running);
}

export async function race(targets: Target[], key: string, settings: Settings): Promise<Result[]> {
  if (!settings.warm) for (const target of targets) await warmUp(target, key, settings);
  const samples = await takeTurns(targets, settings.rounds, (target) => measure(target, key, settings));
  const limit = samples[targets.findIndex(({ name }) => name === LIMIT)] ?? samples[0];
  return targets.map(({ name }, index) => summary(name, samples[index] as Sample[], limit as Sample[]));
}

/** Samples of each target in each round; the order rotates, so that noise affects all alike. */
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

/** A sample with only these values. */
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

/** Takes one sample. Throws when a request fails. */
export async function measure(
  { name, running, call }: Target,
  key: string,
  settings: Settings,
): Promise<Sample> {
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
