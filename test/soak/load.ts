/** Whoever is to be asked, and what for. */
export interface Target {
  url: string;
  key: string;
  projectId: string;
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

let names = 0;

/** Writers that go on until they are stopped, each with one request at a time. */
export function writeLoad(target: () => Target, writers: number): Load {
  const load = { acked: new Set<string>(), statuses: new Map<string, number>(), slowest: 0 };
  let stopped = false;
  async function once(): Promise<void> {
    const { url, key, projectId } = target();
    const name = `folder ${process.pid} ${++names}`;
    const begin = performance.now();
    const answer = await ask(url, key, { projectId, folders: [{ name }] });
    load.slowest = Math.max(load.slowest, performance.now() - begin);
    load.statuses.set(answer, (load.statuses.get(answer) ?? 0) + 1);
    if (answer === '200') load.acked.add(name);
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
  async function write(): Promise<void> {
    while (!stopped) await once();
  }
  const running = Array.from({ length: writers }, write);
  const stop = async () => {
    stopped = true;
    await Promise.all(running);
  };
  return Object.assign(load, { stop });
}

/** The status; an answer of 200 that holds errors is none. */
async function ask(url: string, key: string, input: object): Promise<string> {
  const query = 'mutation ($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id } } }';
  try {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables: { input } }),
      signal: AbortSignal.timeout(30_000),
    });
    const { errors } = (await answer.json()) as { errors?: { extensions: { code: string } }[] };
    return errors && answer.status === 200 ? String(errors[0]?.extensions.code) : String(answer.status);
  } catch {
    return 'none';
  }
}
