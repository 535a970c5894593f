import { svg, text } from '../pictures.ts';

/** What the server held after this many requests, in MiB. */
export interface Sample {
  requests: number;
  resident: number;
  heapTotal: number;
  heapUsed: number;
  external: number;
}

const LINES = [
  ['resident', 'resident', '#2f81f7'],
  ['heapTotal', 'heap, reserved', '#a371f7'],
  ['heapUsed', 'heap, used', '#3fb950'],
  ['external', 'buffers', '#d29922'],
] as const;

const [LEFT, TOP, WIDTH, HEIGHT] = [50, 24, 440, 240];
/** MiB between two lines of the grid. */
const GRID = 100;

/** Memory over the number of requests. */
export function memoryChart(samples: readonly Sample[]): string {
  const requests = samples.at(-1)?.requests ?? 1;
  const top = Math.ceil(Math.max(...samples.map(({ resident }) => resident)) / GRID) * GRID;
  const x = (at: number) => (LEFT + (at / requests) * WIDTH).toFixed(1);
  const y = (mib: number) => TOP + HEIGHT * (1 - mib / top);
  const parts = [text(10, 14, 'MiB of one process, by thousands of requests', 'font-weight="600"')];
  for (let mib = 0; mib <= top; mib += GRID)
    parts.push(
      `<path d="M${LEFT} ${y(mib).toFixed(1)}h${WIDTH}" class="axis"/>`,
      text(LEFT - 6, y(mib) + 4, String(mib), 'text-anchor="end" class="dim"'),
    );
  for (let at = 0; at <= requests; at += requests / 5)
    parts.push(
      text(
        Number(x(at)),
        TOP + HEIGHT + 18,
        String(Math.round(at / 1_000)),
        'text-anchor="middle" class="dim"',
      ),
    );
  for (const [index, [key, title, colour]] of LINES.entries()) {
    const points = samples.map((sample) => `${x(sample.requests)},${y(sample[key]).toFixed(1)}`);
    parts.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<rect x="${LEFT + WIDTH + 20}" y="${TOP + index * 20}" width="12" height="12" rx="2" fill="${colour}"/>`,
      text(LEFT + WIDTH + 38, TOP + index * 20 + 11, title),
    );
  }
  return svg(
    LEFT + WIDTH + 150,
    TOP + HEIGHT + 30,
    parts,
    'Memory of one process over the number of requests',
  );
}
