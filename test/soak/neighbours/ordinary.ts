import { Client } from './client.ts';

/** What is done with the victim's organization: a process of its own, so that its measuring is not held up by the rest. */
export interface OrdinaryOptions {
  url: string;
  keys: readonly string[];
  organizationId: string;
  projectId: string;
  /** Requests a second. */
  rate: number;
}

export interface Ordinary {
  /** Milliseconds from the sending of each request to the end of its answer; of those without one, how long they waited. */
  waits: number[];
  /** How many of them were answered with anything but 200, or not at all. */
  failed: number;
  /** Why, of the first few. */
  faults: string[];
}

const VIEWER =
  '{ viewer { organizations(first: 5) { nodes { name projects(first: 5) { nodes { name } } } } } }';
const PAGE = `query ($id: ID!) { project(id: $id) { documents(first: 25) { nodes { id name contentType size createdAt
  folder { id name } createdBy { id name } } } tasks(first: 25) { nodes { id name } } } }`;

/** Requests of people at work, at a constant rate whatever becomes of those before. */
function start({ url, keys, organizationId, projectId, rate }: OrdinaryOptions) {
  const clients = keys.map((key) => new Client(url, key));
  const rest = `/api/v1/organizations/${organizationId}/projects/${projectId}`;
  const kinds: ((client: Client) => Promise<{ status: number; text: string }>)[] = [
    (client) => client.sendJson('POST', '/graphql', { query: VIEWER }),
    (client) => client.sendJson('POST', '/graphql', { query: PAGE, variables: { id: projectId } }),
    (client) => client.send({ method: 'GET', path: `${rest}/documents` }),
    (client) => client.sendJson('POST', `${rest}/tasks`, [{ Name: 'Look at it' }]),
  ];
  const result: Ordinary = { waits: [], failed: 0, faults: [] };
  const open = new Map<number, number>();
  let [turn, stopped] = [0, false];
  const fail = (fault: string) => {
    if (result.failed++ < 5) result.faults.push(fault.slice(0, 200));
  };
  const one = async () => {
    const number = turn++;
    const begin = performance.now();
    open.set(number, begin);
    const kind = kinds[number % kinds.length] as (typeof kinds)[0];
    const client = clients[Math.floor(number / kinds.length) % clients.length] as Client;
    const fault = await kind(client).then(
      ({ status, text }) => (status === 200 ? undefined : `status ${status}: ${text}`),
      (error: Error) => error.message,
    );
    if (!open.delete(number)) return;
    result.waits.push(performance.now() - begin);
    if (fault) fail(fault);
  };
  const first = performance.now();
  const tick = () => {
    while (!stopped && turn <= ((performance.now() - first) * rate) / 1_000) void one();
  };
  const timer = setInterval(tick, 5);
  return {
    async stop(): Promise<Ordinary> {
      stopped = true;
      clearInterval(timer);
      for (const end = performance.now() + 10_000; open.size > 0 && performance.now() < end; )
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const begin of open.values()) {
        result.waits.push(performance.now() - begin);
        fail('no answer');
      }
      open.clear();
      return result;
    },
  };
}

let running: ReturnType<typeof start> | undefined;

process.on('message', async (message: OrdinaryOptions | 'stop') => {
  if (message !== 'stop') running = start(message);
  else process.send?.(await running?.stop());
});

process.send?.('ready');
