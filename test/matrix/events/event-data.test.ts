import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from '../fixture.ts';
import { MUTATIONS } from '../mutation-facts.ts';
import { codeOf, mutationText, sendGraph } from '../requests.ts';
import { type Snapshot, takeSnapshot } from '../snapshot.ts';
import { MORE_CHANGES, type Payload, type Step } from './event-changes.ts';
import { CHANGED_ELSEWHERE, EVENTS, type EventFact } from './event-facts.ts';

interface RecordedEvent {
  id: string;
  subjectId: string;
  kind: string;
  data: { before?: object; after?: object };
}

let s: Fixture;
let snapshot: Snapshot;
let earlier: Set<string>;

/** The kinds of changes that a mutation has made. */
const changed = new Set<string>();

const readEvents = () =>
  s.db.query<RecordedEvent>(
    sql`SELECT id, subject_id, kind, data FROM events WHERE redacted_by_id IS NULL ORDER BY sequence`,
  );

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
  earlier = new Set((await readEvents()).map(({ id }) => id));
}, SETUP_TIMEOUT_MS);

const names = (members: object | undefined) => Object.keys(members ?? {}).sort();

const isFilled = (members: object | undefined) => names(members).length > 0;

/** An upload changes more than the content of a revision has to. */
const WHOLE = ['document.revised'];

const CHECKS: Record<EventFact, (event: RecordedEvent) => boolean> = {
  changed: ({ kind, data: { before, after } }) =>
    before !== undefined &&
    after !== undefined &&
    isDeepStrictEqual(names(before), names(after)) &&
    (WHOLE.includes(kind) ||
      Object.entries(before).every(([name, value]) => !isDeepStrictEqual(value, Object(after)[name]))),
  created: ({ data: { before, after } }) =>
    isFilled(after) && (!before || isDeepStrictEqual(names(before), names(after))),
  deleted: ({ data: { before, after } }) => isFilled(before) && !after,
  noted: ({ data: { before } }) => !before,
};

const SECRET = /"[^"]*(secret|password|token)[^"]*":|"accessCode":|\bdg[a-z]_\w{20}|\$scrypt\$|\$argon/i;

/** What is wrong with an event, if anything. */
function faultOf(event: RecordedEvent): string[] {
  const fact = EVENTS.get(event.kind);
  const text = `${event.kind} ${JSON.stringify(event.data)}`;
  if (!fact) return [`name its kind in test/matrix/events/event-facts.ts: ${text}`];
  if (fact === 'changed' && isFilled(event.data.after)) changed.add(event.kind);
  return [
    ...(CHECKS[fact](event) ? [] : [`not as ${fact}: ${text}`]),
    ...(SECRET.test(JSON.stringify(event.data)) ? [`a secret: ${text}`] : []),
  ];
}

/** Members that have only the changed items of a list. */
const PARTIAL = ['choices', 'fields', 'fieldIds', 'fieldValues'];

/** Where an event has another value before than the event before it has after. */
function gapsIn(events: readonly RecordedEvent[]): string[] {
  const last = new Map<string, object>();
  return events.flatMap(({ kind, subjectId, data: { before = {}, after = {} } }) => {
    const key = `${kind} of ${subjectId}`;
    const earlierAfter = Object(last.get(key));
    last.set(key, { ...earlierAfter, ...after });
    return names(before)
      .filter((name) => name in earlierAfter && !PARTIAL.includes(name))
      .filter((name) => !isDeepStrictEqual(Object(before)[name], earlierAfter[name]))
      .map((name) => `${key}: ${name}`);
  });
}

/** Runs mutations as the owner, one after the other, and restores everything. Returns the events. */
async function run(steps: readonly Step[]): Promise<RecordedEvent[]> {
  const codes: string[] = [];
  let payload: Payload;
  for (const [name, input] of steps) {
    const credential = s.credentials[MUTATIONS[name]?.[0] === 'session' ? 'session' : 'owner'];
    const given = typeof input === 'function' ? input(payload) : input;
    const answer = await sendGraph(s.app, mutationText(name), { input: given }, credential);
    codes.push(codeOf(answer));
    payload = answer.body.data?.[name];
  }
  const events = (await readEvents()).filter(({ id }) => !earlier.has(id));
  await snapshot.restore();
  expect(codes).toEqual(steps.map(() => 'OK'));
  return events;
}

describe('the events of', () => {
  it.each(Object.keys(MUTATIONS))('%s have what changed', async (name) => {
    const [, input] = MUTATIONS[name] ?? [];
    const events = await run([[name, input?.(s.a.at, s.a) ?? {}]]);
    expect(events.flatMap(faultOf)).toEqual([]);
  });

  it.each(MORE_CHANGES)('$of have $members', async ({ kind, members, steps }) => {
    const events = await run(await steps(s.a));
    expect(events.flatMap(faultOf)).toEqual([]);
    expect(gapsIn(events)).toEqual([]);
    const last = events.filter((event) => event.kind === kind).at(-1);
    expect(names(last?.data.after ?? last?.data.before)).toEqual([...members].sort());
  });

  it('the work of a tenant have what changed', async () => {
    const events = await readEvents();
    expect(events.flatMap(faultOf)).toEqual([]);
  });

  it('each kind of change were seen', () => {
    const unseen = [...EVENTS].filter(([kind, fact]) => fact === 'changed' && !changed.has(kind));
    expect(unseen.map(([kind]) => kind)).toEqual(CHANGED_ELSEWHERE);
  });
});

it('every kind that the source names has a fact', () => {
  const nouns = [...new Set([...EVENTS.keys()].map((kind) => kind.split('.')[0]))].join('|');
  const pattern = new RegExp(`'((?:${nouns})\\.[A-Za-z_]+)'`, 'g');
  const files = readdirSync('src/domain', { recursive: true, encoding: 'utf8' });
  const kinds = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(`src/domain/${file}`, 'utf8').matchAll(pattern)])
    .map(([, kind = '']) => kind);
  expect(kinds.length).toBeGreaterThan(EVENTS.size);
  expect([...new Set(kinds)].filter((kind) => !EVENTS.has(kind) && kind !== 'form.pdf')).toEqual([]);
});
