import { beforeAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/auth/api-key.ts';
import type { Scope } from '../../../src/domain/kernel/scope.ts';
import { newId } from '../../../src/lib/id.ts';
import { newMember, newWorld, type Person, testApp } from '../../support/world.ts';

let world: Awaited<ReturnType<typeof newWorld>> & { admin: Person; member: Person; guest: Person };

beforeAll(async () => {
  const base = await newWorld();
  const join = (role: 'ADMIN' | 'MEMBER' | 'GUEST') => newMember(base.db, base.organization.id, role);
  world = { ...base, admin: await join('ADMIN'), member: await join('MEMBER'), guest: await join('GUEST') };
});

type Ask = { by?: 'header' | 'extensions' | 'nothing' };

async function ask(person: Person, query: string, variables: object, { by = 'header' }: Ask = {}) {
  const app = await testApp(world.db);
  const headers: Record<string, string> = {
    authorization: `Bearer ${person.key}`,
    'content-type': 'application/json',
    ...(by === 'header' && { 'x-explain-access': '1' }),
  };
  const extensions = by === 'extensions' ? { explain: true } : undefined;
  const answer = await app.request('/graphql', {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables, extensions }),
  });
  return JSON.parse((await answer.text()).replace(/"requestId":"[^"]*"/g, '"requestId":""'));
}

const withScopes = async (person: Person, ...scopes: Scope[]) => {
  const { secret } = await issueApiKey(world.db.prisma, { userId: person.id, name: 'narrow', scopes });
  return person.with(secret);
};

const CREATE =
  'mutation ($input: CreateProjectsInput!) { made: createProjects(input: $input) { projects { id } } }';
const inputFor = (organizationId: string) => ({ input: { organizationId, projects: [{ name: 'New' }] } });

describe('access explained', () => {
  it.each([
    'header',
    'extensions',
  ] as const)('is asked for by %s, also for a text that is stored', async (by) => {
    const { member, organization } = world;
    for (let turn = 0; turn < 2; turn++) {
      const { extensions } = await ask(member, CREATE, inputFor(organization.id), { by });
      expect(extensions.explain).toEqual([
        {
          path: ['made'],
          rule: 'ORGANIZATION_ROLE',
          required: ['OWNER', 'ADMIN'],
          grantedBy: expect.stringContaining('owner of the organization'),
        },
      ]);
    }
  });

  it('is left out where nobody asks', async () => {
    const { extensions } = await ask(world.member, CREATE, inputFor(world.organization.id), {
      by: 'nothing',
    });
    expect(extensions).not.toHaveProperty('explain');
  });

  it('is empty where nothing is refused or hidden', async () => {
    const query = 'query ($id: ID!) { organization(id: $id) { name webhooks { nodes { id } } } }';
    for (const person of [world.owner, world.admin])
      expect((await ask(person, query, { id: world.organization.id })).extensions.explain).toEqual([]);
  });

  it('names each field that is hidden from a role', async () => {
    const query = `query ($id: ID!) { organization(id: $id) { hooks: webhooks { nodes { id } } invitations { nodes { id } }
      clients { nodes { id } } applications { nodes { clientId } } } }`;
    const hidden = async (person: Person) =>
      (await ask(person, query, { id: world.organization.id })).extensions.explain.map(
        ({ path, coordinate, required }: { path: string[]; coordinate: string; required: string[] }) => [
          path.join('.'),
          coordinate,
          required.length,
        ],
      );
    const forMember = [
      ['organization.hooks', 'Organization.webhooks', 2],
      ['organization.invitations', 'Organization.invitations', 2],
      ['organization.applications', 'Organization.applications', 2],
    ];
    expect(await hidden(world.member)).toEqual(forMember);
    expect(await hidden(world.guest)).toEqual([
      ...forMember.slice(0, 2),
      ['organization.clients', 'Organization.clients', 3],
      ...forMember.slice(2),
    ]);
  });

  it('names the fields that require a scope that is missing', async () => {
    const narrow = await withScopes(world.owner, 'organizations:read');
    const query =
      'query ($id: ID!) { p: project(id: $id) { name documents { nodes { name } } tasks { nodes { name } } } viewer { name } }';
    const { extensions, errors } = await ask(narrow, query, { id: world.project.id });
    expect(errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE');
    const rule = { rule: 'SCOPE', grantedBy: expect.any(String) };
    expect(extensions.explain).toEqual([
      {
        ...rule,
        path: ['p', 'documents'],
        coordinate: 'Project.documents',
        required: ['documents:read'],
        missing: ['documents:read'],
      },
      {
        ...rule,
        path: ['p', 'tasks'],
        coordinate: 'Project.tasks',
        required: ['tasks:read'],
        missing: ['tasks:read'],
      },
    ]);
    const write = await ask(narrow, CREATE, inputFor(world.organization.id));
    expect(write.extensions.explain).toEqual([
      {
        ...rule,
        path: ['made'],
        coordinate: 'Mutation.createProjects',
        required: ['organizations:write'],
        missing: ['organizations:write'],
      },
    ]);
  });

  it('says the same of an object of another organization and of one that does not exist', async () => {
    const { stranger, owner, project, organization } = world;
    const reads: [string, string, string][] = [
      ['query ($id: ID!) { project(id: $id) { name } }', project.id, newId('Project')],
      ['query ($id: ID!) { node(id: $id) { id } }', project.id, newId('Project')],
      [
        'query ($id: ID!) { organization(id: $id) { name webhooks { nodes { id } } } }',
        organization.id,
        newId('Organization'),
      ],
      [
        'query ($id: ID!) { node(id: $id) { id ... on Organization { invitations { nodes { id } } } } }',
        organization.id,
        newId('Organization'),
      ],
    ];
    for (const [query, foreign, missing] of reads) {
      const [there, none] = [
        await ask(stranger, query, { id: foreign }),
        await ask(stranger, query, { id: missing }),
      ];
      expect(there).toEqual(none);
      expect(there.extensions.explain).toEqual([expect.objectContaining({ rule: 'VISIBILITY' })]);
      expect(await ask(owner, query, { id: foreign })).not.toEqual(there);
    }
    expect(await ask(stranger, CREATE, inputFor(organization.id))).toEqual(
      await ask(stranger, CREATE, inputFor(newId('Organization'))),
    );
  });
});

describe('access explained in REST v1', () => {
  const call = async (person: Person, method: string, path: string, body?: object, explain = true) => {
    const app = await testApp(world.db);
    const answer = await app.request(`/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${person.key}`,
        'content-type': 'application/json',
        ...(explain && { 'x-explain-access': '1' }),
      },
      body: body && JSON.stringify(body),
    });
    const { requestId: _, ...problem } = (await answer.json()) as Record<string, unknown>;
    return problem;
  };

  it('is in the body of a problem, if asked for', async () => {
    const { member, organization } = world;
    const path = `/organizations/${organization.id}/projects`;
    expect((await call(member, 'POST', path, [{ Name: 'New' }])).explain).toEqual({
      rule: 'ORGANIZATION_ROLE',
      required: ['OWNER', 'ADMIN'],
      grantedBy: expect.any(String),
    });
    expect(await call(member, 'POST', path, [{ Name: 'New' }], false)).not.toHaveProperty('explain');
    const narrow = await withScopes(member, 'tasks:read');
    expect((await call(narrow, 'GET', path)).explain).toEqual({
      rule: 'SCOPE',
      required: ['organizations:read'],
      missing: ['organizations:read'],
      grantedBy: expect.any(String),
    });
  });

  it('says the same of what is foreign and of what does not exist', async () => {
    const { stranger, organization } = world;
    const foreign = await call(stranger, 'GET', `/organizations/${organization.id}`);
    expect(foreign).toEqual(await call(stranger, 'GET', `/organizations/${newId('Organization')}`));
    expect(foreign.explain).toMatchObject({ rule: 'VISIBILITY' });
  });
});
