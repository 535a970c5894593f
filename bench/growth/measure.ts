import { median } from '../rounds.ts';
import type { Call, Operation, Site } from './site.ts';
import { planOf } from './statements.ts';

interface Sample {
  milliseconds: number;
  blocks: number;
  rows: number;
}

export interface Figures {
  name: string;
  small: Sample;
  large: Sample;
  /** Large to small, of milliseconds and of blocks. */
  ratio: number;
  blockRatio: number;
  plans: string[];
}

/** Milliseconds of a statement from which its plan is kept. */
const SLOW = 5;

const WARM_UP = 4;

/** Milliseconds that a round may take on average: an operation that is slower is repeated less often. */
const PATIENCE = 250;

async function sampleOf(site: Site, work: () => Promise<unknown>): Promise<Sample> {
  const before = await site.reads();
  const begin = performance.now();
  await work();
  const milliseconds = performance.now() - begin;
  const after = await site.reads();
  return { milliseconds, blocks: after.blocks - before.blocks, rows: after.rows - before.rows };
}

const medianOf = (samples: Sample[]): Sample => ({
  milliseconds: median(samples.map((each) => each.milliseconds)),
  blocks: median(samples.map((each) => each.blocks)),
  rows: median(samples.map((each) => each.rows)),
});

/** Runs it once. */
export async function answer(operation: Operation, site: Site): Promise<void> {
  const { query, variables } = (await operation.prepare(site))(0);
  await site.answer(operation.as, query, variables);
}

/** The plans of its slow statements. */
async function plansOf(operation: Operation, site: Site, { query, variables }: Call): Promise<string[]> {
  const statements = await site.recorder.during(() => site.answer(operation.as, query, variables));
  const slow = statements.filter(({ milliseconds }) => milliseconds > SLOW);
  return Promise.all(slow.map(async (each) => `${each.text}\n${await planOf(site.url, each)}`));
}

const sideOf = async (operation: Operation, site: Site) => ({
  site,
  callOf: await operation.prepare(site),
  samples: [] as Sample[],
});

/** The sites in turn, after rounds that warm up, as a statement is planned once it came three times. */
export async function measure(
  operation: Operation,
  smallSite: Site,
  largeSite: Site,
  rounds: number,
): Promise<Figures> {
  const small = await sideOf(operation, smallSite);
  const large = await sideOf(operation, largeSite);
  const begin = performance.now();
  for (let round = 0; round < rounds + WARM_UP; round++) {
    if (round > WARM_UP && performance.now() - begin > PATIENCE * rounds) break;
    for (const { site, callOf, samples } of [small, large]) {
      const { query, variables } = callOf(round);
      const sample = await sampleOf(site, () => site.answer(operation.as, query, variables));
      if (round >= WARM_UP) samples.push(sample);
    }
  }
  const medians = { small: medianOf(small.samples), large: medianOf(large.samples) };
  return {
    name: operation.name,
    ...medians,
    ratio: medians.large.milliseconds / medians.small.milliseconds,
    blockRatio: medians.large.blocks / medians.small.blocks,
    plans: await plansOf(operation, largeSite, large.callOf(rounds + WARM_UP)),
  };
}
