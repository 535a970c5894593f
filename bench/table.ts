import type { Race, Result } from './rounds.ts';

export interface Start {
  name: string;
  startMs: number;
  restMiB: number;
  /** Without one for the embedded database. */
  busyMiB?: number;
}

export const columns = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[0] ?? 0)))
        .join('  '),
    )
    .join('\n');
};

export const number = (value: number, digits = 0) => (Number.isNaN(value) ? '–' : value.toFixed(digits));

const RACE: [string, (result: Result) => string][] = [
  ['', ({ name }) => name],
  ['ratio', ({ ratio }) => number(ratio, 2)],
  ['spread', ({ least, greatest }) => `${number(least, 2)}–${number(greatest, 2)}`],
  ['a second', ({ rate }) => number(rate)],
  ['p50 ms', ({ p50 }) => number(p50)],
  ['p99 ms', ({ p99 }) => number(p99)],
  ['open ms', ({ opened }) => number(opened)],
  ['failed', ({ failed }) => number(failed)],
  ['cpu ms', ({ cpu }) => number(cpu, 2)],
  ['db cpu ms', ({ databaseCpu }) => number(databaseCpu, 2)],
  ['MiB', ({ memory = Number.NaN }) => number(memory)],
];

/** A table: the ratio to the limit, its spread over the rounds, and medians. */
export function printRace({ title, results }: Race): void {
  const rows = results.map((result) => RACE.map(([, cell]) => cell(result)));
  console.log(`\n${title}\n${columns([RACE.map(([head]) => head), ...rows])}`);
}

export function printStarts(starts: Start[]): void {
  const rows = starts.map(({ name, startMs, restMiB, busyMiB = Number.NaN }) => [
    name,
    number(startMs),
    number(restMiB),
    number(busyMiB),
  ]);
  console.log(
    `\nStart to the first answer, and memory\n${columns([['', 'ms', 'MiB at rest', 'MiB after load'], ...rows])}`,
  );
}
