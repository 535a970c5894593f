import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { fieldOperations } from './growth/fields.ts';
import { answer, type Figures, measure } from './growth/measure.ts';
import { pageOperations } from './growth/pages.ts';
import { LARGE, makeShape, type Shape, SMALL } from './growth/shape.ts';
import { type Operation, openSite, type Site } from './growth/site.ts';
import { tableOf } from './growth/table.ts';
import { writeOperations } from './growth/writes.ts';

/**
 * What a page and a write cost in a large organization, beside the same in a small one: `npx tsx bench/growth.ts` (bench/README.md).
 * `--check` answers first pages, counts and writes once in the small one, as CI does; `--only EXPRESSION` takes those whose names match; `--rounds` sets
 * how often; `--keep FILE` writes figures and plans as JSON; `--stay` leaves the databases, and uses those of an earlier run.
 */
const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '15' },
    keep: { type: 'string' },
    stay: { type: 'boolean' },
  },
});
const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

const operations = [...fieldOperations, ...pageOperations, ...writeOperations].filter(
  ({ name }) => new RegExp(values.only).test(name) && !(values.check && / (next|late|last)$/.test(name)),
);

/** Opens an organization of this shape for `work`. */
async function withSite<Result>(
  name: string,
  shape: Shape,
  work: (site: Site) => Promise<Result>,
): Promise<Result> {
  const { url, drop } = await makeShape(server, name, shape, values.stay);
  const site = await openSite(url);
  try {
    return await work(site);
  } finally {
    await site.close();
    if (!values.stay) await drop();
  }
}

/** Runs all operations. Throws after the last if any failed. */
async function each(work: (operation: Operation) => Promise<unknown>): Promise<void> {
  let failed = 0;
  for (const operation of operations)
    await work(operation).catch((error: Error) => {
      failed++;
      console.error(`${operation.name}: ${error.message}`);
    });
  if (failed > 0) throw new Error(`${failed} of ${operations.length} operations failed`);
  console.log(`${operations.length} operations are answered`);
}

if (values.check)
  await withSite('growth_check', SMALL, (site) => each((operation) => answer(operation, site)));
else
  await withSite('growth_small', SMALL, (small) =>
    withSite('growth_large', LARGE, async (large) => {
      const figures: Figures[] = [];
      await each(async (operation) => {
        const measured = await measure(operation, small, large, Number(values.rounds));
        figures.push(measured);
        console.error(measured.name);
      }).finally(() => console.log(tableOf(figures)));
      if (values.keep) await writeFile(values.keep, `${JSON.stringify(figures, null, 2)}\n`);
    }),
  );
