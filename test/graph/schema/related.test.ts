import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { counted } from '../../support/database.ts';
import { newWorld } from '../../support/world.ts';

type World = Awaited<ReturnType<typeof newWorld>>;

/** A process whose steps each have the owner as approver. */
async function addProcess({ db, owner, project }: World, name: string, steps: number): Promise<string> {
  const { organizationId, id: projectId } = project;
  const id = newId('Process');
  await db.prisma.process.create({
    data: { organizationId, id, projectId, name, nameKey: name.toLowerCase(), createdById: owner.id },
  });
  const rows = Array.from({ length: steps }, (_, rank) => ({
    ...{ organizationId, id: newId('ProcessStep'), processId: id },
    ...{ rank, name: `${name} ${rank}`, rule: 'ALL' as const },
  }));
  await db.prisma.processStep.createMany({ data: rows });
  await db.prisma.processStepApprover.createMany({
    data: rows.map((step) => ({ organizationId, stepId: step.id, userId: owner.id })),
  });
  return id;
}

/** A template of signature forms with fields, all of the same rank. */
async function addTemplate({ db, owner, project }: World, name: string, fields: number): Promise<string> {
  const { organizationId, id: projectId } = project;
  const id = newId('SignatureFormTemplate');
  await db.prisma.signatureFormTemplate.create({
    data: { organizationId, id, projectId, name, nameKey: name.toLowerCase(), createdById: owner.id },
  });
  await db.prisma.signatureTemplateField.createMany({
    data: Array.from({ length: fields }, (_, index) => ({
      ...{ organizationId, id: newId('SignatureTemplateField'), templateId: id },
      ...{
        type: 'TEXT' as const,
        recipientRank: 1,
        label: `${name} ${index}`,
        rank: 1,
        pageIndex: 0,
        x: 1,
        y: 1,
      },
    })),
  });
  return id;
}

/** A form with two fields of the project, one of which depends on the other. */
async function addForm({ db, owner, project }: World, name: string): Promise<void> {
  const { organizationId, id: projectId } = project;
  const [parentId, childId] = [newId('Field'), newId('Field')];
  for (const [rank, id] of [parentId, childId].entries())
    await db.prisma.field.create({
      data: {
        ...{
          organizationId,
          id,
          projectId,
          name: `${name} ${rank}`,
          nameKey: `${name} ${rank}`.toLowerCase(),
        },
        ...{ type: 'NUMBER', rank, required: rank === 1, createdById: owner.id },
        ...(rank === 1 && { parentId }),
      },
    });
  const id = newId('FormTemplate');
  await db.prisma.formTemplate.create({
    data: { organizationId, id, projectId, name, nameKey: name.toLowerCase(), createdById: owner.id },
  });
  await db.prisma.formField.createMany({
    data: [parentId, childId].map((fieldId, rank) => ({
      ...{ organizationId, id: newId('FormField'), formTemplateId: id, fieldId, linkId: newId('FormField') },
      ...{ type: 'NUMBER', rank, minimum: rank === 0 ? '1.50' : '100', maximum: '1000000000000000000000' },
    })),
  });
}

const ALL = `query ($id: ID!) { project(id: $id) {
  fields(first: 9) { totalCount nodes { name childIds } }
  processes(first: 5) { nodes { name steps(first: 5) { totalCount totalCountIsExact edges { cursor node { name approvers(first: 2) { nodes { id name } } } } } } }
  signatureFormTemplates(first: 5) { nodes { name fields(first: 5) { pageInfo { hasNextPage } nodes { label } } } }
  formTemplates(first: 5) { nodes { name fields(first: 5) { nodes { required minimum maximum field { name childIds } } } } }
} }`;

const STEPS = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { node(id: $id) { ... on Process {
  steps(first: $first, after: $after, last: $last, before: $before) {
    nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`;

describe('lists of a relation, loaded by the Prisma plugin', () => {
  let world: World;
  let processId: string;
  let templateId: string;

  beforeAll(async () => {
    world = await newWorld();
    processId = await addProcess(world, 'A', 3);
    templateId = await addTemplate(world, 'A', 5);
    await addForm(world, 'A');
  });

  const steps = async (variables: object) => {
    const { data, errors } = await world.owner.graph(STEPS, { id: processId, ...variables });
    return { ...data?.node?.steps, errors };
  };
  const names = ({ nodes }: { nodes: { name: string }[] }) => nodes.map(({ name }) => name);

  it('need one statement for each relation of the project, for any number of objects', async () => {
    const { owner, project } = world;
    const read = () => counted(() => owner.graph(ALL, { id: project.id }));
    const one = await read();
    expect(one.result.errors).toBeUndefined();
    expect(one.result.data.project.processes.nodes[0].steps).toMatchObject({
      ...{ totalCount: 3, totalCountIsExact: true },
      edges: [
        { node: { name: 'A 0', approvers: { nodes: [{ id: owner.id }] } } },
        { node: { name: 'A 1' } },
        { node: { name: 'A 2' } },
      ],
    });
    expect(one.result.data.project.formTemplates.nodes[0].fields.nodes).toMatchObject([
      { required: false, minimum: '1.5', maximum: '1000000000000000000000', field: { name: 'A 0' } },
      { required: true, minimum: '100', field: { name: 'A 1', childIds: [] } },
    ]);
    expect(one.result.data.project.fields).toMatchObject({
      totalCount: 2,
      nodes: [{ childIds: [expect.stringMatching(/^fie_/)] }, { childIds: [] }],
    });
    for (const name of ['B', 'C', 'D']) {
      await addProcess(world, name, 2);
      await addTemplate(world, name, 2);
      await addForm(world, name);
    }
    const many = await read();
    expect(many.result.data.project.processes.nodes).toHaveLength(4);
    expect(many.result.data.project.formTemplates.nodes).toHaveLength(4);
    expect(many.statements).toEqual(one.statements);
    const byPrisma = many.statements.filter((text) => text.includes('"t0"'));
    expect(byPrisma.map((text) => /FROM "public"\."(\w+)" AS "t0"/.exec(text)?.[1]).sort()).toEqual([
      'fields',
      'form_templates',
      'processes',
      'processes',
      'signature_form_templates',
    ]);
  });

  it('are paged by cursors, forward and backward', async () => {
    const first = await steps({ first: 2 });
    expect(names(first)).toEqual(['A 0', 'A 1']);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await steps({ first: 2, after: first.pageInfo.endCursor });
    expect(names(second)).toEqual(['A 2']);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const last = await steps({ last: 2 });
    expect(names(last)).toEqual(['A 1', 'A 2']);
    expect(names(await steps({ last: 2, before: last.pageInfo.startCursor }))).toEqual(['A 0']);
    expect((await steps({ first: 0 })).nodes).toEqual([]);
  });

  it('break ties by the id, so that pages omit no item', async () => {
    const { owner } = world;
    const query = `query ($id: ID!, $after: String) { signatureFormTemplate(id: $id) {
      fields(first: 2, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } } }`;
    const ids: string[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const { data } = await owner.graph(query, { id: templateId, after });
      const { nodes, pageInfo } = data.signatureFormTemplate.fields;
      ids.push(...nodes.map(({ id }: { id: string }) => id));
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage;
    }
    expect(ids).toHaveLength(5);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('continue after an item that was deleted between two pages', async () => {
    const { db } = world;
    const id = await addProcess(world, 'Z', 3);
    const first = await steps({ id, first: 2 });
    await db.prisma.processStepApprover.deleteMany({ where: { step: { processId: id, rank: 1 } } });
    await db.prisma.processStep.deleteMany({ where: { processId: id, rank: 1 } });
    expect(names(await steps({ id, first: 2, after: first.pageInfo.endCursor }))).toEqual(['Z 2']);
  });

  it('refuse invalid page arguments, at the field that has them', async () => {
    for (const [variables, at] of [
      [{ after: 'nonsense' }, 'after'],
      [{ first: 101 }, 'first'],
      [{ first: 1, last: 1 }, 'first'],
    ] as const) {
      const { errors } = await steps(variables);
      expect(errors).toMatchObject([{ path: ['node', 'steps'], extensions: { code: 'BAD_USER_INPUT', at } }]);
    }
    const query = `query ($id: ID!) { node(id: $id) { ... on Process { steps(first: 2) { nodes { name approvers(after: "x") { nodes { id } } } } } } }`;
    const { errors } = await world.owner.graph(query, { id: processId });
    expect(errors).toMatchObject([
      {
        path: ['node', 'steps', 'nodes', 0, 'approvers'],
        extensions: { code: 'BAD_USER_INPUT', at: 'after' },
      },
    ]);
  });

  it('keep the arguments of aliases apart, also when nested', async () => {
    const query = `query ($id: ID!) { node(id: $id) { ... on Process {
      one: steps(first: 1) { nodes { name } } rest: steps(last: 2) { nodes { name approvers(first: 1) { nodes { id } } none: approvers(first: 0) { nodes { id } } } } } } }`;
    const { data } = await world.owner.graph(query, { id: processId });
    const approved = { approvers: { nodes: [{ id: world.owner.id }] }, none: { nodes: [] } };
    expect(data.node).toEqual({
      one: { nodes: [{ name: 'A 0' }] },
      rest: {
        nodes: [
          { name: 'A 1', ...approved },
          { name: 'A 2', ...approved },
        ],
      },
    });
  });

  it('are null for a viewer who cannot see the parent', async () => {
    const { data, errors } = await world.stranger.graph(STEPS, { id: processId });
    expect(data?.node).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});
