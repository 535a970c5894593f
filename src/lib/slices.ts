import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of synchronous work after which other requests have their turn. */
const SLICE = 5;

/** `map` over the items in their order. A long list is worked on in slices, between which other requests are served. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let begin = performance.now();
  for (const [index, item] of items.entries()) {
    if (performance.now() - begin > SLICE) {
      await nextTurn();
      begin = performance.now();
    }
    results.push(map(item, index));
  }
  return results;
}

/** Items as they are read, and between slices of the work that makes them a turn for other requests. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  let begin = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - begin < SLICE) continue;
    await nextTurn();
    begin = performance.now();
  }
}
