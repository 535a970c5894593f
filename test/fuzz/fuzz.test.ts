import fc from 'fast-check';
import type { Hono } from 'hono';
import pino from 'pino';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { eventHash } from '../../src/domain/kernel/record/event-hash.ts';
import { newId } from '../../src/lib/id.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from '../matrix/fixture.ts';
import { idTypesOf } from '../matrix/positions.ts';
import { type Snapshot, takeSnapshot } from '../matrix/snapshot.ts';
import { checkAnswer } from '../support/description.ts';
import { appOn } from '../support/oauth.ts';
import { type GraphRequest, graphRequests } from './graph-requests.ts';
import { restRequests, type WireRequest } from './rest-requests.ts';
import type { Ids } from './values.ts';

/** The number of requests; on PostgreSQL a sample. `npm run fuzz` sends many more, with a seed that differs each time. */
const RUNS = Number(process.env.FUZZ_RUNS ?? (process.env.TEST_DATABASE_URL ? 150 : 600));
const OTHER_SEED = process.env.FUZZ_RUNS ? Math.floor(Math.random() * 2 ** 31) : 1_011_953_582;
const SEEDS = [20_260_304, Number(process.env.FUZZ_SEED ?? OTHER_SEED)];
const PATIENCE = 120_000 + RUNS * 40;

/** The world is restored after this many requests, since they delete its objects. */
const PUT_BACK = 40;

let s: Fixture;
let snapshot: Snapshot;
let app: Hono;
let failure: unknown;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
  const write = (line: string) => {
    failure = JSON.parse(line).err;
  };
  const log = pino({ level: 'error' }, { write });
  app = await appOn(s.db, { requests: 0, requestsAddress: 0 }, { log });
}, SETUP_TIMEOUT_MS);

afterEach(async () => {
  await snapshot.restore();
});

/** The answers are reported after this many requests, and at the end. */
const TOLD = 5_000;

let sent = 0;
const tally: Record<string, number> = {};
const count = (what: string | number) => {
  tally[what] = (tally[what] ?? 0) + 1;
};

const tell = () => console.info(`${sent} requests were answered: ${JSON.stringify(tally)}`);

async function answerTo(
  path: string,
  init: RequestInit,
): Promise<{ status: number; type: string; text: string }> {
  if (++sent % PUT_BACK === 0) await soundState();
  if (sent % TOLD === 0) tell();
  failure = undefined;
  const answer = await app.request(path, init);
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  if (path !== '/graphql') count(answer.status);
  const text = await answer.text();
  if (answer.status >= 500 || failure)
    throw new Error(`${answer.status} ${text}\n${JSON.stringify(failure, null, 1)}`);
  return { status: answer.status, type, text };
}

/** The other tenant and prototypes are unchanged, and every chain of events is valid. */
async function soundState(): Promise<void> {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(await snapshot.changedAbout(s.b.organization.id)).toEqual([]);
  await requireWholeChains(s.db);
  await snapshot.restore();
}

async function requireWholeChains(db: Database): Promise<void> {
  for (const { organizationId, sequence } of await db.prisma.eventHead.findMany()) {
    const events = await db.prisma.event.findMany({
      where: { organizationId },
      orderBy: { sequence: 'asc' },
    });
    expect(events.length).toBe(Number(sequence));
    let before = new Uint8Array();
    for (const { hash, ...row } of events) {
      expect(Buffer.from(hash)).toEqual(Buffer.from(eventHash(before, row as never)));
      before = hash;
    }
  }
}

const header = () => ({ authorization: `Bearer ${s.credentials.owner}` });

async function rest({ method, path, type, body }: WireRequest): Promise<void> {
  const init = { method, headers: { ...header(), 'content-type': type }, body: body as BodyInit };
  const { text, ...answer } = await answerTo(path, method === 'GET' ? { ...init, body: undefined } : init);
  const read = answer.type === 'application/json' ? JSON.parse(text) : text;
  checkAnswer(method, path.replace(/^\/api\/v1/, ''), { ...answer, body: read });
}

const CODES = /^(?:FORBIDDEN|NOT_FOUND|BAD_USER_INPUT|CONFLICT|COST_LIMIT_EXCEEDED|RATE_LIMITED|TOO_LARGE)$/;

/** A random request may revoke its own key; the next one is then sent again in the restored world. */
async function graph(request: GraphRequest, again = true): Promise<void> {
  const body = JSON.stringify(request);
  const init = { method: 'POST', headers: { ...header(), 'content-type': 'application/json' }, body };
  const { text, type } = await answerTo('/graphql', init);
  expect(type).toBe('application/json');
  const { data, errors } = JSON.parse(text);
  if (again && errors?.[0].extensions.code === 'UNAUTHENTICATED') {
    await soundState();
    return graph(request, false);
  }
  expect(errors ?? data).toBeTruthy();
  count(errors?.[0].extensions.code ?? 'data');
  for (const error of errors ?? []) expect(error.extensions.code).toMatch(CODES);
}

/** Mostly ids that are valid for an argument of this name and visible to the caller. */
const idsOf =
  ({ a, b }: Fixture): Ids =>
  (name) => {
    const meant = idTypesOf(name.replace(/^./, (first) => first.toLowerCase()).replace('ID', 'Id'));
    const own = meant.flatMap((type) => a.ids[type] ?? []);
    const all = Object.values(a.ids).flat();
    return fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...(own.length > 0 ? own : all)) },
      { weight: 1, arbitrary: fc.constantFrom(...all, ...Object.values(b.ids).flat()) },
      { weight: 1, arbitrary: fc.constantFrom(newId('Task'), newId('Document'), 'doc_', 'org_0') },
    );
  };

/** A fault is reported immediately with its request. */
const how = { numRuns: Math.ceil(RUNS / SEEDS.length / 2), includeErrorInReport: true };

describe.each(SEEDS)(`of ${RUNS} random requests, seed %i`, (seed) => {
  it(
    'every one to REST v1 is answered as described, and never with 5xx',
    async () => {
      const requests = restRequests(s.a, idsOf(s));
      await fc.assert(fc.asyncProperty(requests, rest), { ...how, seed });
    },
    PATIENCE,
  );

  it(
    'every one to GraphQL is answered without an error or with a code of the closed list',
    async () => {
      await fc.assert(
        fc.asyncProperty(graphRequests(idsOf(s), s.a), (request) => graph(request)),
        { ...how, seed },
      );
      tell();
    },
    PATIENCE,
  );
});
