import { writeFile } from 'node:fs/promises';
import type { Race, Result } from './rounds.ts';

/** The list page by number of connections. */
export interface Step {
  connections: number;
  results: Result[];
}

/** Readable on light and dark backgrounds: one colour per contender, text in the colour of the reader's scheme. */
const STYLE = `<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .dim { fill: #656d76 } .axis { stroke: #d0d7de; fill: none }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .dim { fill: #8d96a0 } .axis { stroke: #3d444d } }
</style>`;

const COLOURS: Record<string, string> = {
  'The limit': '#8c959f',
  Docgraph: '#2f81f7',
  Mercurius: '#3fb950',
  'GraphQL Yoga': '#db61a2',
  'Apollo Server': '#a371f7',
  PostGraphile: '#d29922',
};

/** One colour a contender, whatever it runs on; paler on the newer Node where it also runs on this one. */
function paint(name: string): string {
  const [who = '', how = ''] = name.split(', ');
  const second = how.startsWith('Node') && who !== 'PostGraphile';
  return `"${COLOURS[who] ?? '#6e7681'}"${second ? ' opacity="0.55"' : ''}`;
}

/** A picture of this size; `title` is its text for screen readers. */
export const svg = (width: number, height: number, parts: string[], title: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${title}">
${STYLE}
${parts.join('\n')}
</svg>
`;

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const text = (x: number, y: number, words: string, more = '') =>
  `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`;

/** Bars of requests per second as a part of the limit's; the line on each is the spread over the rounds. */
function bars(races: Race[]): string {
  const [left, width] = [170, 420];
  const most = Math.max(...races.flatMap(({ results }) => results.map(({ greatest }) => greatest)));
  const x = (ratio: number) => left + (ratio / most) * width;
  const parts: string[] = [];
  let y = 10;
  for (const { title, results } of races) {
    y += 22;
    parts.push(text(10, y - 6, title, 'font-weight="600"'));
    for (const { name, ratio, least, greatest } of results) {
      parts.push(
        text(left - 8, y + 13, name, 'text-anchor="end"'),
        `<rect x="${left}" y="${y + 3}" width="${(x(ratio) - left).toFixed(1)}" height="13" rx="2" fill=${paint(name)}/>`,
        `<path d="M${x(least).toFixed(1)} ${y + 9.5}H${x(greatest).toFixed(1)}" class="axis" stroke-width="2"/>`,
        text(x(greatest) + 6, y + 13, ratio.toFixed(2), 'class="dim"'),
      );
      y += 19;
    }
    y += 12;
  }
  return svg(left + width + 60, y, parts, 'Requests per second as a part of the limit');
}

/** p99 over connections, both on logarithmic axes. */
function lines(steps: Step[]): string {
  const [left, top, width, height] = [60, 24, 440, 260];
  const all = steps.flatMap(({ results }) => results.map(({ p99 }) => Math.max(p99, 1)));
  const scale = (value: number, from: number, to: number) => Math.log(value / from) / Math.log(to / from);
  const [low, high] = [1, 10 ** Math.ceil(Math.log10(Math.max(...all)))];
  const x = (connections: number) => left + width * scale(connections, 1, steps.at(-1)?.connections ?? 1);
  const y = (p99: number) => top + height * (1 - scale(Math.max(p99, 1), low, high));
  const parts = [text(10, 14, 'p99 in milliseconds of the list page, by connections', 'font-weight="600"')];
  for (let at = low; at <= high; at *= 10)
    parts.push(
      `<path d="M${left} ${y(at)}h${width}" class="axis"/>`,
      text(left - 6, y(at) + 4, String(at), 'text-anchor="end" class="dim"'),
    );
  for (const { connections } of steps)
    parts.push(
      text(x(connections), top + height + 18, String(connections), 'text-anchor="middle" class="dim"'),
    );
  for (const [index, { name }] of (steps[0]?.results ?? []).entries()) {
    const points = steps.map(
      ({ connections, results }) => `${x(connections).toFixed(1)},${y(results[index]?.p99 ?? 1).toFixed(1)}`,
    );
    parts.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke=${paint(name)} stroke-width="${name === 'Docgraph' ? 3 : 1.5}"/>`,
      `<rect x="${left + width + 20}" y="${top + index * 20}" width="12" height="12" rx="2" fill=${paint(name)}/>`,
      text(left + width + 38, top + index * 20 + 11, name),
    );
  }
  return svg(left + width + 190, top + height + 30, parts, 'p99 by connections');
}

/** The content of `results.json`: each part with its machine and settings. */
export interface Results {
  races: { results: Race[] };
  connections: { results: Step[] };
  starts: { results: unknown };
  tokens: { results: Race[] };
  grown: { results: Race[] };
}

/** The charts of the README: reads, writes, tokens, growth and connections. */
export async function drawPictures(
  { races, connections, tokens, grown }: Partial<Results>,
  folder: string,
): Promise<void> {
  const draw = async (name: string, from: { results: Race[] } | undefined, ...ids: string[]) => {
    const some = from?.results.filter(({ id }) => ids.includes(id));
    if (some?.length) await writeFile(`${folder}charts/${name}.svg`, bars(some));
  };
  await draw('reads', races, 'nested-read', 'document-list', 'one-document', 'viewer');
  await draw('writes', races, 'create-tasks', 'comment');
  await draw('tokens', tokens, 'refresh', 'introspect');
  await draw(
    'growth',
    grown,
    'nested-read',
    'document-list',
    'document-list-1m',
    'document-list-1m-page-1000',
  );
  if (connections) await writeFile(`${folder}charts/connections.svg`, lines(connections.results));
}
