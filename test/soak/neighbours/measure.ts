import { type ChildProcess, fork } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { loadavg, setPriority } from 'node:os';
import { memoryOf, peakOf } from '../../../bench/proc.ts';
import { quantile, round, sleep } from '../calls.ts';
import type { Ordinary, OrdinaryOptions } from './ordinary.ts';
import { newTown, type Setting, type Tenant, type Town } from './town.ts';

/** One thing that organizations share, and what one of them does to it. */
export interface Resource extends Setting {
  /** On the embedded database, instead of PostgreSQL. */
  embedded?: true;
  /** Done before anything is measured. */
  prepare?(town: Town): Promise<void>;
  /** The aggressor's worst: goes on until the signal aborts. It may throw where it is refused. */
  aggress(town: Town, signal: AbortSignal): Promise<void>;
  /** One piece of the victim's background work, from the request to its completion. Throws where it went wrong. */
  work?(victim: Tenant, town: Town, signal: AbortSignal): Promise<void>;
}

interface Phase {
  requests: number;
  p50: number;
  p99: number;
  /** Requests that were answered with anything but 200, or not at all. */
  failed: number;
  /** Milliseconds that a piece of background work took, the median; of one that was not completed, how long it was waited for. */
  work: number | undefined;
  pieces: number;
  unfinished: number;
  /** Pieces that ended in a wrong state. */
  wrong: number;
  faults: string[];
}

export interface Outcome {
  ratioOfP50: number;
  ratioOfP99: number;
  /** Of the medians; undefined without background work. */
  ratioOfWork: number | undefined;
  calm: Phase;
  busy: Phase;
  /** Whether the server ended meanwhile. */
  died: boolean;
  /** MiB of the server's memory after the calm, and at the highest beside the aggressor. */
  memory: { calm: number; highest: number };
  /** Processes that wanted a processor, in the last minute. */
  loadAverage: number;
}

export interface Pace {
  /** Of each phase. */
  seconds: number;
  /** The victim's requests a second. */
  rate: number;
  /** Seconds after which a piece of work is given up. */
  patience: number;
}

/** The victim's ordinary requests and background work without the aggressor, and beside it. */
export async function measure(
  resource: Resource,
  pace: Pace,
  database: string | undefined,
  program: string[],
): Promise<Outcome> {
  const town = await newTown(resource, resource.embedded ? undefined : database, program);
  const aggression = new AbortController();
  setMaxListeners(0, aggression.signal);
  prefer(town.server.pid);
  try {
    await resource.prepare?.(town);
    // Compiles what the first requests compile, fills the caches, and outlasts the long collection of garbage after a start.
    await phase(resource, town, { ...pace, seconds: 6 });
    const calm = await phase(resource, town, pace);
    const memory = { calm: round(memoryOf(town.server.pid)), highest: 0 };
    const aggressing = resource.aggress(town, aggression.signal).catch((error: Error) => error);
    await sleep(1_000);
    const busy = await phase(resource, town, pace);
    memory.highest = round(peakOf(town.server.pid));
    aggression.abort();
    const refused = await Promise.race([aggressing, sleep(2_000)]);
    if (refused instanceof Error) busy.faults.push(`aggressor: ${refused.message.slice(0, 200)}`);
    return {
      ratioOfP50: round(busy.p50 / calm.p50),
      ratioOfP99: round(busy.p99 / calm.p99),
      ratioOfWork: resource.work && round((busy.work as number) / (calm.work as number)),
      calm,
      busy,
      memory,
      died: !isAlive(town.server.pid),
      loadAverage: round(loadavg()[0] as number),
    };
  } finally {
    aggression.abort();
    await town.remove();
  }
}

/** Milliseconds between the beginnings of two pieces of work, so that they do not fill the calm. */
const PAUSE = 500;

async function phase(resource: Resource, town: Town, { seconds, rate, patience }: Pace): Promise<Phase> {
  const { url, keys, organizationId, projectId } = town.victim;
  const ordinary = await startOrdinary({ url, keys, organizationId, projectId, rate });
  const end = performance.now() + seconds * 1_000;
  const done = { unfinished: 0, wrong: 0, faults: [] as string[] };
  const took: number[] = [];
  while (resource.work && performance.now() < end && done.unfinished === 0) {
    const begin = performance.now();
    const failure = await within(patience * 1_000, (signal) =>
      (resource.work as NonNullable<Resource['work']>)(town.victim, town, signal),
    );
    took.push(performance.now() - begin);
    if (failure === 'late') done.unfinished++;
    else if (failure) {
      done.wrong++;
      done.faults.push(failure.message.slice(0, 200));
    }
    if (!isAlive(town.server.pid)) break;
    await sleep(Math.max(begin + PAUSE - performance.now(), 0));
  }
  await sleep(Math.max(end - performance.now(), 0));
  const { waits, failed, faults } = await ordinary.stop();
  const times = { p50: round(quantile(waits, 0.5)), p99: round(quantile(waits, 0.99)) };
  return {
    requests: waits.length,
    ...times,
    failed,
    work: took.length > 0 ? round(quantile(took, 0.5)) : undefined,
    pieces: took.length,
    ...done,
    faults: [...faults, ...done.faults].slice(0, 5),
  };
}

/** Undefined once the work is done, what it threw, or `late`. */
async function within(
  ms: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<undefined | Error | 'late'> {
  const giveUp = new AbortController();
  const done = work(giveUp.signal).then(
    () => undefined,
    (error: Error) => error,
  );
  const result = await Promise.race([done, sleep(ms).then(() => 'late' as const)]);
  giveUp.abort();
  return result;
}

async function startOrdinary(options: OrdinaryOptions) {
  const child: ChildProcess = fork(new URL('ordinary.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
  });
  prefer(child.pid as number);
  await once(child, 'message');
  child.send(options);
  return {
    async stop(): Promise<Ordinary> {
      const answer = once(child, 'message');
      child.send('stop');
      const [result] = (await answer) as [Ordinary];
      child.kill();
      return result;
    },
  };
}

/** Where that is allowed: what else runs on the machine must not pass for the aggressor. */
function prefer(pid: number): void {
  try {
    setPriority(pid, -10);
  } catch {}
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
