import { randomUUID } from 'node:crypto';
import { freePort } from '../support/servers/processes.ts';
import { newSite, type Site } from './site.ts';

/** The input type of a mutation. */
const inputOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;

const AT_ONCE = 20;

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the route's
  body: any;
}

/** Asks one of the processes, which one is left to `turn`. */
type Ask = (turn: number, path: string, body?: unknown, more?: RequestInit) => Promise<Answer>;

/** Something that only one of those who ask at once may be given. */
interface Race {
  /** Makes what is raced for; gives who asks for it. */
  prepare(round: number): Promise<(turn: number) => Promise<Answer>>;
  /** How many were given it. */
  winners(answers: Answer[]): number;
}

const done = ({ status, body }: Answer) => status === 200 && !body?.errors;
const doneOnce = (answers: Answer[]) => answers.filter(done).length;

/** Whoever is not told to wait is given the same thing. */
const sameThing = (answers: Answer[]) => new Set(answers.filter(done).map(({ body }) => body[0].ID)).size;

const graphOn =
  (ask: Ask) =>
  (turn: number, mutation: string, type: string, input: object, selection: string): Promise<Answer> =>
    ask(turn, '/graphql', {
      query: `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`,
      variables: { input },
    });

async function races(ask: Ask, { organizationId, projectId }: Site): Promise<Record<string, Race>> {
  const api = `/api/v1/organizations/${organizationId}/projects/${projectId}`;
  const graph = graphOn(ask);
  const upload = async () => {
    const { body } = await ask(0, `${api}/documentUploads`);
    await fetch(body.SignedUrl, { method: 'PUT', body: 'x' });
    const file = { UniqueId: body.UniqueId, OriginalFilename: 'x.txt', OriginalFileSize: 1 };
    return (turn: number) =>
      ask(turn, `${api}/documentUploads?uniqueId=${body.UniqueId}`, [file], { method: 'PUT' });
  };
  const document = async (): Promise<string> => (await (await upload())(0)).body[0].ID;
  const task = async (): Promise<string> => (await ask(0, `${api}/tasks`, [{ Name: 'Once' }])).body[0].ID;
  const me = (await ask(0, '/graphql', { query: '{ viewer { user { id } } }' })).body.data.viewer.user.id;
  const steps = [{ name: 'Look', approverIds: [me] }];
  const processes = { projectId, processes: [{ name: 'Once', steps }] };
  const created = await graph(0, 'createProcesses', 'CreateProcessesInput', processes, 'processes { id }');
  const processId = created.body.data.createProcesses.processes[0].id;
  const itemId = await document();
  const decide = ['approveApprovals', 'declineApprovals', 'denyApprovals'];
  const finish = ['completeTask', 'denyTask'];
  return {
    confirm: { prepare: upload, winners: sameThing },
    decide: {
      async prepare() {
        const ids = [await document()];
        await graph(0, 'startProcess', 'StartProcessInput', { processId, itemIds: ids }, '__typename');
        return (turn) => {
          const name = decide[turn % 3] as string;
          return graph(turn, name, inputOf(name), { ids }, '__typename');
        };
      },
      winners: doneOnce,
    },
    finish: {
      async prepare() {
        const taskId = await task();
        return (turn) => {
          const name = finish[(turn >> 1) % 2] as string;
          return graph(turn, name, inputOf(name), { taskId }, '__typename');
        };
      },
      winners: doneOnce,
    },
    idempotencyKey: {
      async prepare() {
        const headers = { 'idempotency-key': randomUUID() };
        return (turn) => ask(turn, `${api}/tasks`, [{ Name: 'Once' }], { headers });
      },
      winners: sameThing,
    },
    expectedVersion: {
      async prepare(round) {
        const input = { documentId: itemId, expectedVersion: round + 1 };
        return (turn) =>
          graph(turn, 'updateDocument', 'UpdateDocumentInput', { ...input, name: `x${turn}` }, '__typename');
      },
      winners: doneOnce,
    },
  };
}

/**
 * Two processes on one database, and for each round 20 that ask for the same at once. Gives how many rounds had not one
 * winner, and how often each status came.
 */
export async function raceForOne(
  { rounds, program }: { rounds: number; program?: string[] },
  server: string,
) {
  const site = await newSite(server);
  const set = { DATABASE_POOL: String(AT_ONCE) };
  const [one, other] = await Promise.all([
    site.serve(await freePort(), set, program),
    site.serve(await freePort(), set, program),
  ]);
  const headers = { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' };
  const ask: Ask = async (turn, path, body, more = {}) => {
    const answer = await fetch((turn % 2 ? one : other).url + path, {
      method: body === undefined ? 'GET' : 'POST',
      body: body === undefined ? undefined : JSON.stringify(body),
      ...more,
      headers: { ...headers, ...more.headers },
    });
    const text = await answer.text();
    return { status: answer.status, body: text && JSON.parse(text) };
  };
  const result: Record<string, { wrong: number; statuses: Record<string, number> }> = {};
  try {
    for (const [name, { prepare, winners }] of Object.entries(await races(ask, site))) {
      const tally = { wrong: 0, statuses: {} as Record<string, number> };
      for (let round = 0; round < rounds; round++) {
        const run = await prepare(round);
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => run(turn)));
        if (winners(answers) !== 1) tally.wrong++;
        for (const { status, body } of answers) {
          const word = body?.errors?.[0]?.extensions?.code ?? status;
          tally.statuses[word] = (tally.statuses[word] ?? 0) + 1;
        }
      }
      result[name] = tally;
    }
    return result;
  } finally {
    await Promise.all([one.stop(), other.stop()]);
    await site.remove();
  }
}
