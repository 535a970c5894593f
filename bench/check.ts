import type { Running } from './contenders.ts';
import { type Data, grow, startOfPage } from './data.ts';
import { requireSameAnswers, targetsOf } from './rounds.ts';
import type { Work } from './work.ts';

/** Compares the answers to these works, and to the reads among 100 times the data. Throws for the first difference. */
export async function check(url: string, running: Running[], data: Data, works: Work[], grown: Work[]) {
  await compare(works, running, data);
  data.big = await grow(url, 100);
  data.bigLatePage = await startOfPage(data.big, url, 400);
  await compare(grown, running, data);
}

async function compare(works: Work[], running: Running[], data: Data): Promise<void> {
  for (const work of works) {
    const targets = targetsOf(work, running, data);
    await requireSameAnswers(work, targets, data[work.credential ?? 'key']);
    console.log(`${work.id}: ${targets.map(({ name }) => name).join(', ')} answer the same`);
  }
}
