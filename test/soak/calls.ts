interface Calls {
  /** How long each waited for its answer, in milliseconds. */
  waits: number[];
  failed: number;
  /** Why, of the first ten. */
  faults: string[];
}

const none = (): Calls => ({ waits: [], failed: 0, faults: [] });

/** Calls at a steady pace, whether the ones before are done or not. */
export function steadyCalls(call: () => Promise<unknown>, everyMs: number) {
  let now = none();
  const once = async () => {
    const begin = performance.now();
    await call().catch((error: Error) => {
      if (now.failed++ < 10) now.faults.push(error.message.slice(0, 300));
    });
    now.waits.push(performance.now() - begin);
  };
  const timer = setInterval(once, everyMs);
  /** What there was since it was last asked. */
  const take = () => {
    const taken = now;
    now = none();
    return taken;
  };
  return {
    take,
    /** Ends them, and gives what was not taken. */
    stop() {
      clearInterval(timer);
      return take();
    },
  };
}

export const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(Math.floor(values.length * part), values.length - 1)] ?? 0;

export const round = (value: number): number => Math.round(value * 100) / 100;

/** Asks the graph; throws for any other answer than 200. */
export async function askGraph(url: string, key: string, query: string, variables?: object): Promise<void> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`status ${answer.status}`);
}

export const LIGHT =
  '{ viewer { organizations(first: 5) { nodes { name projects(first: 5) { nodes { name } } } } } }';

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves once it is so, or performance.now() has come to `end`. */
export async function until(isSo: () => boolean, end: number): Promise<void> {
  while (!isSo() && performance.now() < end) await sleep(5);
}
