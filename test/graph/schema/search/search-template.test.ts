import { describe, expect, it } from 'vitest';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { newId } from '../../../../src/lib/id.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const CREATE = `mutation ($input: CreateSearchTemplateInput!) { createSearchTemplate(input: $input) { searchTemplate {
  id name query version project { id } filter { kind states tags createdAfter fields { fieldId operator value } projectIds } } } }`;
const UPDATE = `mutation ($input: UpdateSearchTemplateInput!) { updateSearchTemplate(input: $input) { searchTemplate {
  name query version modifiedAt filter { kind tags } } } }`;
const DELETE = `mutation ($input: DeleteSearchTemplatesInput!) { deleteSearchTemplates(input: $input) { searchTemplateIds } }`;
const LIST = `query ($id: ID!) { organization(id: $id) { searchTemplates { totalCount nodes { name } } } }`;
const RUN = `query ($id: ID!) { searchTemplate(id: $id) { results { totalCount nodes { node { ... on Document { name } } } facets { kinds { count } } } } }`;

const code = async (answer: ReturnType<Person['graph']>) => (await answer).errors?.[0]?.extensions.code;

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  await newDocuments(await owner.context(), project.id, [
    { name: 'Invoice one', tags: ['paid'] },
    { name: 'Invoice two' },
  ]);
  const create = async (input: object, person = owner) =>
    (await person.graph(CREATE, { input: { organizationId: organization.id, name: 'Mine', ...input } })).data
      ?.createSearchTemplate.searchTemplate;
  const names = async (person = owner) =>
    (await person.graph(LIST, { id: organization.id })).data.organization?.searchTemplates.nodes.map(
      ({ name }: { name: string }) => name,
    );
  return { ...world, create, names };
}

describe('saved searches', () => {
  it('store their query and filter, and run them', async () => {
    const { owner, create } = await setUp();
    const fields = [{ fieldId: newId('Field'), operator: 'AT_LEAST', value: '5' }];
    const createdAfter = '2020-01-02T03:04:05.000Z';
    const saved = await create({
      query: 'inv',
      filter: { kind: 'DOCUMENT', states: ['ACTIVE'], tags: ['paid'], createdAfter, fields },
    });
    expect(saved).toMatchObject({
      name: 'Mine',
      query: 'inv',
      version: 1,
      project: null,
      filter: {
        kind: 'DOCUMENT',
        states: ['ACTIVE'],
        tags: ['paid'],
        createdAfter,
        fields,
        projectIds: null,
      },
    });
    const run = async (id: string) => (await owner.graph(RUN, { id })).data.searchTemplate.results;
    expect((await run(saved.id)).totalCount).toBe(0);
    const { id } = await create({ query: 'inv', filter: { tags: ['paid'], createdAfter } });
    expect(await run(id)).toEqual({
      totalCount: 1,
      nodes: [{ node: { name: 'Invoice one' } }],
      facets: { kinds: [{ count: 1 }] },
    });
  });

  it('search one project, if they have a project', async () => {
    const { owner, organization, create } = await setUp();
    const ctx = await owner.context();
    const [yard] = await createProjects(ctx, {
      organizationId: organization.id,
      projects: [{ name: 'Yard' }],
    });
    await newDocuments(ctx, yard?.id as string, [{ name: 'Invoice of the yard' }]);
    const { id, project } = await create({ projectId: yard?.id, query: 'invoice' });
    expect(project.id).toBe(yard?.id);
    expect((await owner.graph(RUN, { id })).data.searchTemplate.results.nodes).toEqual([
      { node: { name: 'Invoice of the yard' } },
    ]);
  });

  it('are changed field by field, with the current version only', async () => {
    const { owner, create } = await setUp();
    const { id } = await create({ query: 'a', filter: { kind: 'FOLDER', tags: ['x'] } });
    const update = (input: object) => owner.graph(UPDATE, { input: { searchTemplateId: id, ...input } });
    const renamed = (await update({ name: 'New', expectedVersion: 1 })).data.updateSearchTemplate
      .searchTemplate;
    expect(renamed).toEqual({
      name: 'New',
      query: 'a',
      version: 2,
      modifiedAt: expect.any(String),
      filter: { kind: 'FOLDER', tags: ['x'] },
    });
    const changed = (await update({ query: '', filter: { tags: ['y'] } })).data.updateSearchTemplate
      .searchTemplate;
    expect(changed).toMatchObject({ query: '', filter: { kind: null, tags: ['y'] } });
    expect(await code(update({ name: 'x', expectedVersion: 2 }))).toBe('CONFLICT');
    expect(await code(update({ name: ' ' }))).toBe('BAD_USER_INPUT');
    expect(await code(update({ query: 'x'.repeat(1_001) }))).toBe('BAD_USER_INPUT');
  });

  it('are deleted all or none, with an event', async () => {
    const { db, owner, organization, create, names } = await setUp();
    const [one, two] = [await create({ name: 'One' }), await create({ name: 'Two' })];
    const remove = (searchTemplateIds: string[]) => owner.graph(DELETE, { input: { searchTemplateIds } });
    expect(await code(remove([one.id, newId('SearchTemplate')]))).toBe('NOT_FOUND');
    expect(await code(remove([]))).toBe('BAD_USER_INPUT');
    expect(await names()).toEqual(['One', 'Two']);
    expect(
      (await remove([two.id, one.id, two.id])).data.deleteSearchTemplates.searchTemplateIds.sort(),
    ).toEqual([one.id, two.id].sort());
    expect(await names()).toEqual([]);
    const kinds = await db.prisma.event.findMany({
      where: { organizationId: organization.id, kind: { startsWith: 'searchTemplate' } },
    });
    expect(kinds.map(({ kind }) => kind).sort()).toEqual([
      ...Array(2).fill('searchTemplate.created'),
      ...Array(2).fill('searchTemplate.deleted'),
    ]);
  });

  it('are visible to their owner only, whatever the role of others', async () => {
    const { db, organization, stranger, create, names } = await setUp();
    const { id } = await create({ query: 'invoice' });
    const admin = await newMember(db, organization.id, 'ADMIN');
    expect(await names(admin)).toEqual([]);
    for (const person of [admin, stranger]) {
      expect(await code(person.graph(RUN, { id }))).toBe('NOT_FOUND');
      expect(await code(person.graph('query ($id: ID!) { node(id: $id) { id } }', { id }))).toBe('NOT_FOUND');
      expect(await code(person.graph(UPDATE, { input: { searchTemplateId: id, name: 'x' } }))).toBe(
        'NOT_FOUND',
      );
      expect(await code(person.graph(DELETE, { input: { searchTemplateIds: [id] } }))).toBe('NOT_FOUND');
    }
    expect(
      await code(stranger.graph(CREATE, { input: { organizationId: organization.id, name: 'x' } })),
    ).toBe('NOT_FOUND');
    expect(await names()).toEqual(['Mine']);
  });

  it('cannot be saved by a guest, nor for a foreign or invisible project', async () => {
    const { db, owner, organization, project } = await setUp();
    const other = await newWorld();
    const create = (person: Person, input: object) =>
      person.graph(CREATE, { input: { organizationId: organization.id, name: 'x', ...input } });
    expect(await code(create(await newMember(db, organization.id, 'GUEST'), {}))).toBe('FORBIDDEN');
    expect(await code(create(owner, { projectId: other.project.id }))).toBe('NOT_FOUND');
    await updateProject(await owner.context(), { projectId: project.id, access: 'RESTRICTED' });
    const member = await newMember(db, organization.id, 'MEMBER');
    expect(await code(create(member, { projectId: project.id }))).toBe('NOT_FOUND');
    expect(await code(create(owner, { name: '' }))).toBe('BAD_USER_INPUT');
    expect(await code(create(owner, { query: 'x '.repeat(40) }))).toBe('BAD_USER_INPUT');
  });

  it('find nothing that has become invisible, and are deleted with their project', async () => {
    const { db, owner, organization, project } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const input = { organizationId: organization.id, name: 'x', query: 'invoice' };
    const make = async (more: object) =>
      (await member.graph(CREATE, { input: { ...input, ...more } })).data.createSearchTemplate.searchTemplate
        .id;
    const [everywhere, there] = [await make({}), await make({ projectId: project.id })];
    expect((await member.graph(RUN, { id: there })).data.searchTemplate.results.totalCount).toBe(2);
    await updateProject(await owner.context(), { projectId: project.id, access: 'RESTRICTED' });
    expect((await member.graph(RUN, { id: everywhere })).data.searchTemplate.results.totalCount).toBe(0);
    expect(await code(member.graph(RUN, { id: there }))).toBe('NOT_FOUND');
    await db.prisma.membership.deleteMany({ where: { userId: member.id } });
    expect(await code(member.graph(RUN, { id: everywhere }))).toBe('NOT_FOUND');
  });
});
