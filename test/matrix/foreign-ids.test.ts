import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema/schema.ts';
import { type IdType, newId, typeOfId } from '../../src/lib/id.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import { idsIn } from './expected-access.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { MUTATIONS } from './mutation-facts.ts';
import {
  completeInput,
  idPaths,
  idPositions,
  idTypesOf,
  type Path,
  valueAt,
  withValue,
} from './positions.ts';
import { type Answer, codeOf, mutationText, send, sendGraph } from './requests.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let s: Fixture;
let snapshot: Snapshot;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
}, SETUP_TIMEOUT_MS);

/** The id in tenant B that corresponds to an id of A: of the same name in the fixture, or else of the same type. */
function counterpart(id: string): string {
  const { a, b } = s;
  const name = Object.keys(a.at).find((each) => a.at[each] === id);
  const [any] = onlyOfB(typeOfId(id) as IdType);
  return (name && b.at[name]) || (any as string);
}

const onlyOfB = (type: IdType): string[] =>
  (s.b.ids[type] ?? []).filter((id) => !s.a.ids[type]?.includes(id));

/** The answer with the id replaced. */
const without = (answer: Answer, id: string): string => JSON.stringify(answer).replaceAll(id, 'ID');

const isRefused = (answer: Answer): boolean => answer.status !== 200 || codeOf(answer) !== 'OK';

/** Restores the database after a success; that refusals change nothing is checked once at the end. */
const undo = async (answer: Answer): Promise<string[]> => (isRefused(answer) ? [] : snapshot.restore());

/** Requires the same answer and effect for an id of tenant B as for an unknown id, and no object of B in the answer. */
async function requireLikeUnknown(id: string, run: (id: string) => Promise<Answer>): Promise<Answer> {
  const random = newId(typeOfId(id) as IdType);
  const unknown = await run(random);
  const doneUnknown = await undo(unknown);
  const foreign = await run(id);
  const doneForeign = await undo(foreign);
  expect(doneForeign).toEqual(doneUnknown);
  if (isRefused(foreign)) expect(without(foreign, id)).toBe(without(unknown, random));
  else expect([foreign.status, codeOf(foreign)]).toEqual([unknown.status, codeOf(unknown)]);
  const ofB = new Set(Object.values(s.b.ids).flat());
  const shared = new Set(Object.values(s.a.ids).flat());
  expect(idsIn(foreign.body).filter((each) => each !== id && ofB.has(each) && !shared.has(each))).toEqual([]);
  return foreign;
}

/** Whether a part of a path is an id; the name of a preference is chosen by its owner. */
const isId = (name: string): boolean => name !== 'singleUserPreferenceId';

const CHANGED_NOTHING = 'change nothing';
const changedNothing = async () => expect(await snapshot.restore()).toEqual([]);

describe.each(restRoutes)('ids of another tenant in REST v1: $id', (row) => {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string).filter(isId);
  const owner = (path: string, body: unknown) =>
    send(s.app, { method: row.method, path: `/api/v1${path}`, body }, s.credentials.owner);

  it.runIf(names.length > 0).each(names)('are answered like unknown ids as %s in the path', async (name) => {
    const { a } = s;
    const answer = await requireLikeUnknown(s.b.params[name] as string, (id) =>
      owner(a.fill(row, { [name]: id }), a.bodies[row.id]),
    );
    expect(isRefused(answer)).toBe(true);
  });

  it('are answered like unknown ids in the body', async () => {
    const body = s.a.bodies[row.id];
    for (const path of idPaths(body))
      await requireLikeUnknown(counterpart(valueAt(body, path) as string), (id) =>
        owner(s.a.fill(row), withValue(body, path, id)),
      );
  });

  it(CHANGED_NOTHING, changedNothing);
});

const inputOf = (name: string): GraphQLInputType =>
  schema.getMutationType()?.getFields()[name]?.args[0]?.type as GraphQLInputType;

/** Members of an input of which exactly one is sent. */
const ALTERNATIVES = ['email', 'userId', 'organizationMemberId', 'invitationId'];

/** The input with this id; where it is one of several alternatives, without the others. */
function withId(input: unknown, path: Path, id: string): unknown {
  const name = path.at(-1) as string;
  const object = valueAt(input, path.slice(0, -1));
  if (path.length < 2 || !ALTERNATIVES.includes(name) || typeof object !== 'object')
    return withValue(input, path, id);
  const others = Object.entries(object ?? {}).filter(([each]) => !ALTERNATIVES.includes(each));
  return withValue(input, path.slice(0, -1), { ...Object.fromEntries(others), [name]: id });
}

/** Codes other than NOT_FOUND. A saved search accepts ids that do not exist. */
const OTHER_CODES: Record<string, string> = {
  'createSearchTemplate filter': 'OK',
  'updateSearchTemplate filter': 'OK',
  'delegateApprovals fromUserId': 'FORBIDDEN',
  // They go with other members of the input: test/graph/schema/retention/retention.test.ts.
  'assignRetentionPolicy scope.folderId': 'BAD_USER_INPUT',
  'assignRetentionPolicy scope.choice.fieldId': 'BAD_USER_INPUT',
  'createRetentionPolicy fieldId': 'BAD_USER_INPUT',
  'createRetentionPolicy reviewGroupId': 'BAD_USER_INPUT',
  'updateRetentionPolicy reviewGroupId': 'BAD_USER_INPUT',
};

/** Ids that name applications of other organizations on purpose: a client_id is public (RFC 6749 §2.2). */
const PUBLIC_IDS = new Set(['decideApplication clientId', 'revokeApplication clientId']);

const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});

describe.each(mutations)('ids of another tenant in mutation %s', (name) => {
  const type = getNamedType(inputOf(name)) as GraphQLInputType;
  const [least, input] = MUTATIONS[name] ?? ['admin', () => ({})];
  const caller = least === 'session' ? 'session' : 'owner';
  const run = (value: unknown) =>
    sendGraph(s.app, mutationText(name), { input: value }, s.credentials[caller]);

  const positions: Path[] = isInputObjectType(type) ? idPositions(type) : [];

  it('refuse a batch that has them among valid ids', async () => {
    const base = input(s.a.at, s.a);
    for (const path of idPaths(base)) {
      const item = path.findIndex((step) => typeof step === 'number');
      if (item < 0) continue;
      const list = path.slice(0, item);
      const foreign = withValue(base, path, counterpart(valueAt(base, path) as string));
      const answer = await run(withValue(base, [...list, 1], valueAt(foreign, [...list, 0])));
      expect([path.join('.'), isRefused(answer)]).toEqual([path.join('.'), true]);
    }
    expect(await snapshot.restore()).toEqual([]);
  });

  it('are no internal error if they are empty', async () => {
    const base = input(s.a.at, s.a);
    for (const path of positions) {
      const answer = await run(completeInput(type, withValue(base, path, ''), s.a.ids));
      await undo(answer);
      expect([path.join('.'), codeOf(answer)]).toEqual([
        path.join('.'),
        expect.not.stringMatching('INTERNAL'),
      ]);
    }
  });

  it.runIf(positions.length > 0).each(positions.map((path) => [path.join('.'), path] as const))(
    'are answered like unknown ids as %s',
    async (_, path) => {
      const base = input(s.a.at, s.a);
      const present = valueAt(base, path);
      const idTypes = idTypesOf(path.findLast((step) => typeof step === 'string') as string);
      const ids =
        typeof present === 'string'
          ? [counterpart(present)]
          : idTypes.flatMap((each) => onlyOfB(each)[0] ?? []);
      expect(ids).not.toEqual([]);
      for (const id of ids) {
        if (PUBLIC_IDS.has(`${name} ${path[0]}`)) {
          expect(codeOf(await run(completeInput(type, withId(base, path, id), s.a.ids)))).toBe('OK');
          await snapshot.restore();
          continue;
        }
        const answer = await requireLikeUnknown(id, (each) =>
          run(completeInput(type, withId(base, path, each), s.a.ids)),
        );
        const expected = OTHER_CODES[`${name} ${path[0]}`] ?? OTHER_CODES[`${name} ${path.join('.')}`];
        expect(codeOf(answer)).toBe(expected ?? 'NOT_FOUND');
        const { at } = answer.body.errors?.[0]?.extensions ?? {};
        if (at === undefined) continue;
        const sent = completeInput(type, withId(base, path, id), s.a.ids);
        expect([at, valueAt(sent, at.split('.'))]).toEqual([at, expect.anything()]);
      }
    },
  );

  it(CHANGED_NOTHING, changedNothing);
});
