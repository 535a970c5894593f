import { GraphQLID, GraphQLString } from 'graphql';
import { describe, expect, it } from 'vitest';
import { newWorld } from '../../support/world.ts';

const CREATE = `mutation ($input: CreateProjectsInput!) { createProjects(input: $input) { projects { name } } }`;
const literal = (organizationId: string, name: string) =>
  `mutation { createProjects(input: { organizationId: "${organizationId}", projects: [{ name: ${name} }] }) { projects { name } } }`;

async function setUp() {
  const { db, owner, organization } = await newWorld();
  const before = await db.prisma.project.count({ where: { organizationId: organization.id } });
  const added = async () =>
    (await db.prisma.project.count({ where: { organizationId: organization.id } })) - before;
  return { owner, organization, added };
}

describe('text that cannot be stored', () => {
  it.each([
    ['NUL', 'a\0b', '"a\\u0000b"'],
    ['a lone high surrogate', 'a\ud800b', '"a\\ud800b"'],
    ['a lone low surrogate', '\udc00', '"\\udc00"'],
  ])('is refused in a variable with its path: %s', async (_, name, shown) => {
    const { owner, organization, added } = await setUp();
    const input = { organizationId: organization.id, projects: [{ name: 'sound' }, { name }] };
    const { data, errors } = await owner.graph(CREATE, { input });
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: `Variable "$input" got invalid value ${shown} at "input.projects[1].name"; Expected text without NUL characters and lone surrogates.`,
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
    expect(await added()).toBe(0);
  });

  it.each([
    ['NUL in a string', '"a\\u0000b"'],
    ['NUL after a character beyond the Basic Multilingual Plane', '"\\u{1F600}\\u{0}"'],
    ['a lone surrogate in a string', '"a\\uD800b"'],
    ['NUL in a block string', '"""a\0b"""'],
  ])('is refused in the document: %s', async (_, name) => {
    const { owner, organization, added } = await setUp();
    const { errors } = await owner.graph(literal(organization.id, name));
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(await added()).toBe(0);
  });

  it('is refused as the default of a variable, as an id and in a variable that stands alone', async () => {
    const { owner } = await setUp();
    const query = (definition: string) => `query (${definition}) { node(id: $id) { id } }`;
    for (const [text, variables] of [
      [query('$id: ID! = "x\\u0000"'), {}],
      [query('$id: ID!'), { id: 'x\0' }],
    ] as const)
      expect((await owner.graph(text, variables)).errors).toMatchObject([
        { message: expect.stringContaining('without NUL'), extensions: { code: 'BAD_USER_INPUT' } },
      ]);
  });

  it('is refused over REST with the name of the member, and a value of another type as such', async () => {
    const { owner, organization, added } = await setUp();
    const post = (Name: unknown) =>
      owner.rest('POST', `/organizations/${organization.id}/projects`, [{ Name }]);
    const answers = [await post('a\0'), await post('a\ud800'), await post(5)];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers.slice(0, 2).map(({ body }) => body.Message ?? body.message)).toEqual(
      Array(2).fill(expect.stringContaining('must be text without NUL characters')),
    );
    expect(await added()).toBe(0);
  });

  it('is ignored in a variable that the operation does not define', async () => {
    const { owner } = await setUp();
    const { data, errors } = await owner.graph('{ viewer { email } }', { unused: '\0' });
    expect(errors).toBeUndefined();
    expect(data.viewer.email).toBe(owner.email);
  });
});

describe('the scalars of graphql-js', () => {
  it('are unchanged for other schemas of the process', async () => {
    await setUp();
    expect(GraphQLString.parseValue('a\0')).toBe('a\0');
    expect(GraphQLID.parseValue(5)).toBe('5');
  });

  it('take a variable for the name of a type in introspection', async () => {
    const { owner } = await setUp();
    const { data } = await owner.graph('query ($name: String!) { __type(name: $name) { name } }', {
      name: 'Project',
    });
    expect(data).toEqual({ __type: { name: 'Project' } });
  });
});
