import { cpuOf, memoryOf } from '../../bench/proc.ts';
import { freePort } from '../support/servers/processes.ts';
import { quantile, round, sleep, steadyCalls } from './calls.ts';
import { type Mix, newMix } from './mix.ts';
import { newSite } from './site.ts';

const MINUTE = 60_000;
const PEAK = 30_000;

/** Milliseconds between two looks at the memory. */
const LOOK = 5_000;

/** What one minute was like. */
interface Minute {
  requests: number;
  failed: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Milliseconds of processor time of the server for a request. */
  cpu: number;
  /** MiB that are resident, on average. */
  memory: number;
}

/**
 * A server at half of the load that it can take, reading and writing over REST and the graph. Gives each minute, and of
 * those after the warm-up: MiB a minute by which memory grows, and by which part the median p99 and processor time for a
 * request of the last third is above that of the first.
 */
export async function goOn(
  {
    minutes,
    warm,
    connections,
    program,
  }: Record<'minutes' | 'warm' | 'connections', number> & { program?: string[] },
  server?: string,
) {
  const site = await newSite(server);
  const running = await site.serve(await freePort(), { NODE_ENV: 'production' }, program);
  try {
    const mix = await newMix(running.url, site);
    const peak = await peakOf(mix, connections);
    let requests = 0;
    const next = async () => {
      // Only then: what was counted meanwhile must not be lost.
      const taken = await mix.next();
      requests += taken;
    };
    const load = steadyCalls(next, 2_000 / peak);
    const faults: string[] = [];
    const all: Minute[] = [];
    const memory: number[] = [];
    while (all.length < minutes) {
      const begin = { cpu: cpuOf(running.pid), looks: memory.length };
      for (const end = performance.now() + MINUTE; performance.now() < end; await sleep(LOOK))
        memory.push(memoryOf(running.pid));
      const { waits, failed, ...more } = load.take();
      faults.push(...more.faults.slice(0, 10 - faults.length));
      all.push({
        requests,
        failed,
        p50: round(quantile(waits, 0.5)),
        p99: round(quantile(waits, 0.99)),
        cpu: round((cpuOf(running.pid) - begin.cpu) / requests),
        memory: round(mean(memory.slice(begin.looks))),
      });
      requests = 0;
      console.log(all.length, JSON.stringify(all.at(-1)));
    }
    load.stop();
    const warmed = all.slice(warm);
    const looks = memory.slice(Math.floor((memory.length * warm) / minutes));
    return {
      peak: Math.round(peak),
      requests: all.reduce((sum, { requests }) => sum + requests, 0),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
      faults,
      growth: round(slope(looks) * (MINUTE / LOOK)),
      driftOfP99: drift(warmed.map(({ p99 }) => p99)),
      driftOfCpu: drift(warmed.map(({ cpu }) => cpu)),
      minutes: all,
    };
  } finally {
    await running.stop();
    await site.remove();
  }
}

/** Requests a second when everyone asks again as soon as they are answered; the first half only warms up. */
async function peakOf(mix: Mix, connections: number): Promise<number> {
  let done = 0;
  const end = performance.now() + PEAK;
  const ask = async () => {
    while (performance.now() < end) {
      const requests = await mix.next();
      if (performance.now() > end - PEAK / 2) done += requests;
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  return (done * 1_000) / (PEAK / 2);
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of the line of least squares through values that stand at equal distances. */
function slope(values: number[]): number {
  const middle = (values.length - 1) / 2;
  const over = values.reduce((sum, value, index) => sum + (index - middle) * value, 0);
  return over / values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
}

function drift(values: number[]): number {
  const third = Math.ceil(values.length / 3);
  return round(quantile(values.slice(-third), 0.5) / quantile(values.slice(0, third), 0.5) - 1);
}
