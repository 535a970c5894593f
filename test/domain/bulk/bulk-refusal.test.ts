import { getNamedType, isObjectType } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { REFUSED_MUTATIONS } from '../../../src/graph/operations/bulk/refused-mutations.ts';
import { schema } from '../../../src/graph/schema/schema.ts';
import { dropJobs } from '../../support/jobs.ts';
import { type Answer, newPerson, newWorld } from '../../support/world.ts';
import { CREATE_TASKS, jsonl, results, runAll, start, started } from './bulk.ts';

type World = Awaited<ReturnType<typeof newWorld>>;

let world: World;

beforeAll(async () => {
  await dropJobs();
  world = await newWorld();
});

const line = () => ({ projectId: world.project.id, name: 'One' });

const begin = (mutation: string, variables: string = jsonl([line()]), by = world.owner): Promise<Answer> =>
  start(by, { organizationId: world.organization.id, mutation, variables });

const refusalOf = async (answer: Promise<Answer>) => {
  const { errors } = await answer;
  const { code, at } = errors?.[0]?.extensions ?? {};
  return { code, at, message: errors?.[0]?.message };
};

const stored = () =>
  world.db.prisma.bulkOperation.count({ where: { organizationId: world.organization.id } });

const NAMED = 'createTasks(input: { projectId: "x", tasks: [{ name: "x" }] }) { __typename }';

it.each([
  ['a query', '{ viewer { name } }'],
  ['a subscription', 'subscription { eventAppended(organizationId: "x") { id } }'],
  ['two fields', `mutation { a: ${NAMED} b: ${NAMED} }`],
  ['two operations', `mutation A { ${NAMED} } mutation B { ${NAMED} }`],
  ['a fragment in its place', `mutation { ...F } fragment F on Mutation { ${NAMED} }`],
  [
    'a field under a condition',
    `mutation { createTasks(input: { projectId: "x", tasks: [] }) @skip(if: true) { __typename } }`,
  ],
  ['the type of the root alone', 'mutation { __typename }'],
  ['the schema', '{ __schema { types { name } } }'],
  ['no GraphQL', 'mutation {'],
  ['nothing', ''],
  ['an unknown field', 'mutation { burnTasks { __typename } }'],
  [
    'incremental delivery',
    `mutation { createTasks(input: { projectId: "x", tasks: [] }) { ... @defer { __typename } } }`,
  ],
])('refuses %s with BAD_USER_INPUT', async (_, mutation) => {
  expect(await refusalOf(begin(mutation))).toMatchObject({ code: 'BAD_USER_INPUT', at: 'mutation' });
  expect(await stored()).toBe(0);
});

it.each([
  ['brackets without end', `mutation { ${'a {'.repeat(1_000)}`],
  [
    'fragments without end',
    `mutation { ${NAMED} } ${Array.from({ length: 200 }, (_, n) => `fragment F${n} on Task { id }`).join(' ')}`,
  ],
  [
    'too many levels',
    `mutation ($projectId: ID!, $name: String!) { createTasks(input: { projectId: $projectId, tasks: [{ name: $name }] }) { tasks ${'{ project { organization { projects { nodes { tasks { nodes '.repeat(4)} { id } ${'} } } } } }'.repeat(4)} } }`,
  ],
  [
    'more points than one call may cost',
    `mutation ($projectId: ID!, $name: String!) { createTasks(input: { projectId: $projectId, tasks: [{ name: $name }] }) { tasks { project { tasks(first: 100) { nodes { project { tasks(first: 100) { nodes { id } } } } } } } } }`,
  ],
])('refuses %s with COST_LIMIT_EXCEEDED', async (_, mutation) => {
  expect(await refusalOf(begin(mutation))).toMatchObject({ code: 'COST_LIMIT_EXCEEDED' });
  expect(await stored()).toBe(0);
});

it.each([
  [
    'startBulkOperation',
    'mutation ($input: StartBulkOperationInput!) { startBulkOperation(input: $input) { __typename } }',
  ],
  ['createApiKeys', 'mutation { createApiKeys(input: { keys: [{ name: "x" }] }) { __typename } }'],
  [
    'a mutation of browser sessions',
    'mutation { renewRecoveryCodes(input: { recoveryCodesLeft: 0 }) { __typename } }',
  ],
  ['a mutation of accounts', 'mutation { updateViewer(input: { name: "x" }) { __typename } }'],
])('refuses %s with FORBIDDEN, and says why', async (_, mutation) => {
  const refusal = await refusalOf(begin(mutation));
  expect(refusal).toMatchObject({ code: 'FORBIDDEN', at: 'mutation' });
  expect(refusal.message).toMatch(/^No bulk operation runs \w+: \w.*\.$/);
});

it('refuses every mutation whose payload has a secret, and names no mutation that does not exist', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const holds = (type: unknown): boolean =>
    isObjectType(type) &&
    Object.values(type.getFields()).some(
      (field) =>
        /secret$/i.test(field.name) ||
        (/^(Created|New)/.test(getNamedType(field.type).name) && holds(getNamedType(field.type))),
    );
  const secret = mutations.filter(({ type }) => holds(getNamedType(type))).map(({ name }) => name);
  expect(secret.length).toBeGreaterThan(3);
  expect(secret.filter((name) => !REFUSED_MUTATIONS.has(name))).toEqual([]);
  const names = mutations.map(({ name }) => name);
  expect([...REFUSED_MUTATIONS.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

it.each([
  ['no JSON', '{"projectId":"x","name":"a"}\nnonsense', 'variables.2', 'Line 2: must be an object'],
  ['a list', '[]', 'variables.1', 'Line 1: must be an object'],
  [
    'an empty line between others',
    '{"projectId":"x","name":"a"}\n\n{"projectId":"x","name":"a"}',
    'variables.2',
    'Line 2',
  ],
  ['a value of another type', '{"projectId":"x","name":5}', 'variables.1.name', 'Line 1: Variable "$name"'],
  [
    'a variable that is missing',
    '{"projectId":"x","name":"a"}\n{"projectId":"x"}',
    'variables.2.name',
    'Line 2: Variable "$name"',
  ],
  ['text that cannot be stored', '{"projectId":"x","name":"a\\u0000b"}', 'variables.1.name', 'Line 1'],
  ['nothing', '\n', 'variables', 'variables: must have a line'],
  ['10,001 lines', '{}\n'.repeat(10_001), 'variables', 'at most 10000 lines'],
])('refuses lines with %s, and says where', async (_, variables, at, message) => {
  const refusal = await refusalOf(begin(CREATE_TASKS, variables));
  expect(refusal).toMatchObject({ code: 'BAD_USER_INPUT', at });
  expect(refusal.message).toContain(message);
  expect(await stored()).toBe(0);
});

it('refuses a line that nests deeper than any input, and one that is expensive', async () => {
  const deep = `{"projectId":"x","name":${'['.repeat(500)}${']'.repeat(500)}}`;
  expect(await refusalOf(begin(CREATE_TASKS, deep))).toMatchObject({
    code: 'COST_LIMIT_EXCEEDED',
    at: 'variables.1',
  });
  const many =
    'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { comments(first: 100) { nodes { id } } } } }';
  const input = { projectId: world.project.id, tasks: Array.from({ length: 100 }, () => ({ name: 'x' })) };
  const refusal = await refusalOf(
    begin(many, jsonl([{ input: { ...input, tasks: [{ name: 'x' }] } }, { input }])),
  );
  expect(refusal).toMatchObject({ code: 'COST_LIMIT_EXCEEDED', at: 'variables.2' });
  expect(refusal.message).toContain('Line 2: ');
});

it('refuses a body of more bytes than any request, as ever', async () => {
  const long = jsonl([{ ...line(), name: 'x'.repeat(2 ** 20) }]);
  expect(await refusalOf(begin(CREATE_TASKS, long))).toMatchObject({ code: 'TOO_LARGE' });
});

it('refuses a credential without the scopes of the mutation, and strangers', async () => {
  const reader = await newPerson(world.db, ['read']);
  expect(await refusalOf(begin(CREATE_TASKS, jsonl([line()]), reader))).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
  });
  expect(await refusalOf(begin(CREATE_TASKS, jsonl([line()]), world.stranger))).toMatchObject({
    ...{ code: 'NOT_FOUND', at: 'organizationId' },
  });
  expect(await stored()).toBe(0);
});

it('says that a line was carried out whose answer is too long to store', async () => {
  const { db, owner, organization, project } = world;
  const fields = Array.from({ length: 60 }, (_, index) => `d${index}: description`).join(' ');
  const mutation = `mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { ${fields} } } }`;
  const input = { projectId: project.id, tasks: [{ name: 'Long', description: 'x'.repeat(2_000) }] };
  const id = await started(owner, organization.id, [{ input }], mutation);
  await runAll();
  const [only] = await results(db, owner, id);
  expect(only).toMatchObject({ data: null, errors: [{ code: 'TOO_LARGE' }] });
  expect(only?.errors?.[0]?.message).toContain('was carried out');
  expect(await db.prisma.task.count({ where: { projectId: project.id, name: 'Long' } })).toBe(1);
});
