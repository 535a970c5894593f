import type { Race } from './rounds.ts';

export interface Start {
  name: string;
  startMs: number;
  restMiB: number;
  busyMiB: number;
}

const columns = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[0] ?? 0)))
        .join('  '),
    )
    .join('\n');
};

const number = (value: number, digits = 0) => (Number.isNaN(value) ? '–' : value.toFixed(digits));

/** A table: the ratio to the limit, its spread over the rounds, and medians. */
export function printRace({ title, results }: Race): void {
  const rows = results.map(({ name, ratio, least, greatest, rate, p50, p99, cpu, databaseCpu }) => [
    name,
    number(ratio, 2),
    `${number(least, 2)}–${number(greatest, 2)}`,
    number(rate),
    number(p50),
    number(p99),
    number(cpu, 2),
    number(databaseCpu, 2),
  ]);
  const head = ['', 'ratio', 'spread', 'req/s', 'p50 ms', 'p99 ms', 'cpu ms', 'db cpu ms'];
  console.log(`\n${title}\n${columns([head, ...rows])}`);
}

export function printStarts(starts: Start[]): void {
  const rows = starts.map(({ name, startMs, restMiB, busyMiB }) => [
    name,
    number(startMs),
    number(restMiB),
    number(busyMiB),
  ]);
  console.log(
    `\nStart to the first answer, and memory\n${columns([['', 'ms', 'MiB at rest', 'MiB after load'], ...rows])}`,
  );
}
