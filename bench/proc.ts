import { readdirSync, readFileSync } from 'node:fs';

/** Process statistics of Linux. On other systems the numbers are NaN, and the tables omit them. */
function read(pid: number | string | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Resident memory in MiB. */
export const memoryOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1]) / 1024;

/** Peak memory of the process in MiB. */
export const peakOf = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(read(pid, 'status'))?.[1]) / 1024;

/** Processor time so far, in milliseconds: fields 14 and 15 of proc(5)'s stat, in ticks of 10 ms. */
export function cpuOf(pid: number | string | undefined): number {
  const stat = read(pid, 'stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Processor time so far of each of PostgreSQL's processes that serve this database, when it runs on this machine. */
export function backendsOf(database: string): Map<string, number> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const serving = pids.filter((pid) => {
    const title = read(pid, 'cmdline');
    return title.startsWith('postgres: ') && title.includes(` ${database} `);
  });
  return new Map(serving.map((pid) => [pid, cpuOf(pid)]));
}

/** Their processor time since then in milliseconds; NaN without processes. */
export function usedSince(before: Map<string, number>, database: string): number {
  const now = backendsOf(database);
  if (now.size === 0) return Number.NaN;
  return [...now].reduce((sum, [pid, cpu]) => sum + cpu - (before.get(pid) ?? 0), 0);
}
