import { describe, expect, it } from 'vitest';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { counted } from '../../../support/database.ts';
import { newMember, newPerson, newWorld } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const CREATE = `mutation ($input: CreateProjectsInput!) {
  createProjects(input: $input) { projects { id name access viewerRole version createdBy { email } } }
}`;

describe('projects', () => {
  it('are created in input order, by an owner', async () => {
    const { owner, organization } = await newWorld();
    const projects = [{ name: 'B' }, { name: ' A ', access: 'RESTRICTED' }];
    const { data } = await owner.graph(CREATE, { input: { organizationId: organization.id, projects } });
    expect(data.createProjects.projects).toMatchObject([
      { name: 'B', access: 'OPEN', viewerRole: 'ADMIN', version: 1, createdBy: { email: owner.email } },
      { name: 'A', access: 'RESTRICTED' },
    ]);
  });

  it('of a batch are all created, or none', async () => {
    const { owner, organization, db } = await newWorld();
    const input = { organizationId: organization.id, projects: [{ name: 'fine' }, { name: '\u0007' }] };
    const { errors } = await owner.graph(CREATE, { input });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', at: 'projects.1.name' } });
    expect(await db.prisma.project.count({ where: { organizationId: organization.id } })).toBe(1);
  });

  it('cannot be created by a member, nor by a stranger', async () => {
    const { db, organization, stranger } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const input = { organizationId: organization.id, projects: [{ name: 'x' }] };
    expect(codes((await member.graph(CREATE, { input })).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(CREATE, { input })).errors)).toEqual(['NOT_FOUND']);
  });

  it('can be changed with the current version only', async () => {
    const { owner, project } = await newWorld();
    const update = `mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { project { name version } } }`;
    const first = await owner.graph(update, {
      input: { projectId: project.id, name: 'New', expectedVersion: 1 },
    });
    expect(first.data.updateProject.project).toEqual({ name: 'New', version: 2 });
    const stale = await owner.graph(update, {
      input: { projectId: project.id, name: 'Late', expectedVersion: 1 },
    });
    expect(codes(stale.errors)).toEqual(['CONFLICT']);
  });

  it('are invisible to a stranger by id, as a node, and with a cursor', async () => {
    const { owner, stranger, organization, project } = await newWorld();
    const list = `query ($id: ID!, $after: String) { organization(id: $id) { projects(first: 1, after: $after) {
      totalCount nodes { id } pageInfo { endCursor } } } }`;
    const mine = await owner.graph(list, { id: organization.id });
    const after = mine.data.organization.projects.pageInfo.endCursor;
    const theirs = await stranger.graph(list, { id: organization.id, after });
    expect(theirs).toMatchObject({
      data: { organization: null },
      errors: [{ message: 'Organization not found.' }],
    });
    const query = `query ($id: ID!) { project(id: $id) { id } node(id: $id) { id } nodes(ids: [$id]) { id } }`;
    const { data, errors } = await stranger.graph(query, { id: project.id });
    expect(data).toEqual({ project: null, node: null, nodes: [null] });
    expect(codes(errors)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });

  it('are invisible to members when restricted, and counted only if visible', async () => {
    const { db, owner, organization } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const guest = await newMember(db, organization.id, 'GUEST');
    await createProjects(await owner.context(), {
      organizationId: organization.id,
      projects: [{ name: 'Staff', access: 'RESTRICTED' }],
    });
    const query = `query ($id: ID!) { organization(id: $id) { projects { totalCount nodes { name } } } }`;
    const listFor = async (person: typeof member) =>
      (await person.graph(query, { id: organization.id })).data.organization.projects;
    expect(await listFor(owner)).toMatchObject({ totalCount: 2 });
    expect(await listFor(member)).toEqual({ totalCount: 1, nodes: [{ name: 'Quay' }] });
    expect(await listFor(guest)).toEqual({ totalCount: 0, nodes: [] });
  });

  it('are paged forward and backward to the same list, also with equal creation times', async () => {
    const { owner, organization } = await newWorld();
    const projects = Array.from({ length: 11 }, (_, index) => ({ name: `P${index}` }));
    await createProjects(await owner.context(), { organizationId: organization.id, projects });
    const query = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { organization(id: $id) {
      projects(first: $first, after: $after, last: $last, before: $before) {
        nodes { name } pageInfo { endCursor startCursor hasNextPage hasPreviousPage } } } }`;
    const walk = async (
      next: (page: { startCursor: string; endCursor: string }) => object,
      more: string,
      size: object,
    ) => {
      const pages: string[][] = [];
      for (let variables: object = size; ; ) {
        const { data } = await owner.graph(query, { id: organization.id, ...variables });
        const { nodes, pageInfo } = data.organization.projects;
        pages.push(nodes.map((node: { name: string }) => node.name));
        if (!pageInfo[more]) return pages;
        variables = { ...size, ...next(pageInfo) };
      }
    };
    const forward = await walk(({ endCursor }) => ({ after: endCursor }), 'hasNextPage', { first: 5 });
    const backward = await walk(({ startCursor }) => ({ before: startCursor }), 'hasPreviousPage', {
      last: 5,
    });
    expect(forward.map((page) => page.length)).toEqual([5, 5, 2]);
    expect(forward.flat()).toEqual(['Quay', ...projects.map(({ name }) => name)]);
    expect(backward.reverse().flat()).toEqual(forward.flat());
  });

  it('need one statement for each level of a nested query', async () => {
    const { owner, organization } = await newWorld();
    const query = `{ viewer { organizations { nodes { projects(first: 10) { totalCount nodes { createdBy { name } } } } } } }`;
    const few = await counted(() => owner.graph(query));
    const projects = Array.from({ length: 9 }, (_, index) => ({ name: `P${index}` }));
    await createProjects(await owner.context(), { organizationId: organization.id, projects });
    const many = await counted(() => owner.graph(query));
    expect(many.result.data.viewer.organizations.nodes[0].projects.totalCount).toBe(10);
    expect(many.statements).toEqual(few.statements);
    expect(many.statements.map((text) => /FROM (?:unnest.*? FROM )?(\w+)/.exec(text)?.[1])).toHaveLength(4);
  });

  it.each([
    '{"first": 0}',
    '{"first": 101}',
    '{"first": -1}',
    '{"first": 1, "last": 1}',
    '{"after": "x"}',
    '{"before": "W10"}',
  ])('answer a page of %s with items or a clear error', async (page) => {
    const { owner, organization } = await newWorld();
    const query = `query ($id: ID!, $first: Int, $last: Int, $after: String, $before: String) { organization(id: $id) {
        projects(first: $first, last: $last, after: $after, before: $before) { nodes { id } } } }`;
    const { data, errors } = await owner.graph(query, { id: organization.id, ...JSON.parse(page) });
    if (page === '{"first": 0}') expect(data.organization.projects.nodes).toEqual([]);
    else expect(codes(errors)).toEqual(['BAD_USER_INPUT']);
  });

  it('require the scope write to be created, and refuse NUL in names', async () => {
    const { db, owner, organization } = await newWorld();
    const reader = await newPerson(db, ['read']);
    const input = { organizationId: organization.id, projects: [{ name: 'a\0' }] };
    expect(codes((await reader.graph(CREATE, { input })).errors)).toEqual(['INSUFFICIENT_SCOPE']);
    expect((await owner.graph(CREATE, { input })).errors).toHaveLength(1);
  });
});
