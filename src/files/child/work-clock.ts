import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const PROCESSORS = availableParallelism();

/**
 * Processor time of a process in ms (proc(5), in ticks of 10 ms); undefined where the system does not report it, and when
 * the process has ended.
 */
export function processorTimeOf(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}

/**
 * Starts a clock of processor time in ms, as `read` reports it: real time where it reports none. It never shows more than
 * all processors can have given since its start, as the system's count jumps when a virtual machine was paused.
 */
export function workClock(read: () => number | undefined, now = () => performance.now()): () => number {
  const before = read();
  const startedAt = now();
  if (before === undefined) return () => now() - startedAt;
  let last = before;
  return () => {
    last = read() ?? last;
    return Math.min(last - before, (now() - startedAt) * PROCESSORS);
  };
}
