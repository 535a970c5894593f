import type { Database } from '../../src/db/database.ts';
import { LIGHT, sleep } from './calls.ts';

/** Whoever is to be asked, and what for. */
export interface Target {
  url: string;
  key: string;
  projectId: string;
}

/** How many write and read at once, and how many folders one write makes. */
export interface Workers {
  writers: number;
  readers?: number;
  batch?: number;
}

export interface Load {
  /** Names of the folders whose creation was acknowledged. */
  acked: Set<string>;
  /** How often each status came, `none` where no answer did. */
  statuses: Map<string, number>;
  /** Milliseconds of the longest wait for an answer. */
  slowest: number;
  stop(): Promise<void>;
}

const CREATE = 'mutation ($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id } } }';

let batches = 0;

/** The names of one write, which is all there or not at all. */
function newBatch(size: number): string[] {
  const label = `${process.pid} ${++batches}`;
  return Array.from({ length: size }, (_, index) => `folder ${label} ${index}`);
}

const batchOf = (name: string): string => name.slice(0, name.lastIndexOf(' '));

/** Workers that go on until they are stopped, each with one request at a time. */
export function startLoad(target: () => Target, { writers, readers = 0, batch = 1 }: Workers): Load {
  const load = { acked: new Set<string>(), statuses: new Map<string, number>(), slowest: 0 };
  let stopped = false;
  async function ask(query: string, variables?: object): Promise<boolean> {
    const begin = performance.now();
    const status = await statusOf(target(), query, variables);
    load.slowest = Math.max(load.slowest, performance.now() - begin);
    load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1);
    if (status !== '200') await sleep(50);
    return status === '200';
  }
  async function write(): Promise<void> {
    const names = newBatch(batch);
    const input = { projectId: target().projectId, folders: names.map((name) => ({ name })) };
    if (await ask(CREATE, { input })) for (const name of names) load.acked.add(name);
  }
  const repeat = async (work: () => Promise<unknown>) => {
    while (!stopped) await work();
  };
  const running = [
    ...Array.from({ length: writers }, () => repeat(write)),
    ...Array.from({ length: readers }, () => repeat(() => ask(LIGHT))),
  ];
  const stop = async () => {
    stopped = true;
    await Promise.all(running);
  };
  return Object.assign(load, { stop });
}

/** The status; an answer of 200 that holds errors is none. */
async function statusOf({ url, key }: Target, query: string, variables?: object): Promise<string> {
  try {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(30_000),
    });
    const { errors } = (await answer.json()) as { errors?: { extensions: { code: string } }[] };
    return errors && answer.status === 200 ? String(errors[0]?.extensions.code) : String(answer.status);
  } catch {
    return 'none';
  }
}

/** How many acknowledged folders are not there, and of how many writes of `batch` folders only a part is. */
export async function findLost(
  db: Database,
  acked: ReadonlySet<string>,
  batch = 1,
): Promise<{ lost: number; torn: number }> {
  const folders = await db.prisma.folder.findMany({
    where: { name: { startsWith: 'folder ' } },
    select: { name: true },
  });
  const present = new Set(folders.map(({ name }) => name));
  const sizes = new Map<string, number>();
  for (const name of present) sizes.set(batchOf(name), (sizes.get(batchOf(name)) ?? 0) + 1);
  return {
    lost: [...acked].filter((name) => !present.has(name)).length,
    torn: [...sizes.values()].filter((size) => size !== batch).length,
  };
}
