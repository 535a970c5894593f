import { describe, expect, it } from 'vitest';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { newApprovalWorld } from '../../../support/approvals.ts';
import { counted } from '../../../support/database.ts';
import { newMember } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const CREATE = `mutation ($input: CreateProcessesInput!) { createProcesses(input: $input) { processes {
  id name disabled version steps(first: 5) { nodes { id name rank rule approvers(first: 3) { nodes { id } } } } } } }`;
const UPDATE = `mutation ($input: UpdateProcessInput!) { updateProcess(input: $input) { process {
  name disabled version steps(first: 5) { nodes { id name rank rule approvers(first: 3) { nodes { id } } } } } } }`;
const START = `mutation ($input: StartProcessInput!) { startProcess(input: $input) { runs {
  state item { itemId kind } approvals(first: 2) { nodes { state step { name } approvers(first: 3) { nodes { user { id } } } } } } } }`;

describe('processes', () => {
  it('are created with their steps in order, by an admin of the project', async () => {
    const { owner, project, ann, bob } = await newApprovalWorld();
    const steps = [
      { name: 'Check', approverIds: [ann.id, ann.id] },
      { name: 'Sign off', rule: 'ALL', approverIds: [ann.id, bob.id] },
    ];
    const input = { projectId: project.id, processes: [{ name: ' Release ', steps }] };
    const { data } = await owner.graph(CREATE, { input });
    expect(data.createProcesses.processes).toMatchObject([
      {
        name: 'Release',
        disabled: false,
        version: 1,
        steps: {
          nodes: [
            { name: 'Check', rank: 0, rule: 'ONE', approvers: { nodes: [{ id: ann.id }] } },
            {
              name: 'Sign off',
              rank: 1,
              rule: 'ALL',
              approvers: { nodes: [{ id: ann.id }, { id: bob.id }] },
            },
          ],
        },
      },
    ]);
  });

  it('are not created by an editor, and not for a stranger', async () => {
    const { ann, project, stranger } = await newApprovalWorld();
    const input = {
      projectId: project.id,
      processes: [{ name: 'x', steps: [{ name: 'y', approverIds: [ann.id] }] }],
    };
    expect(codes((await ann.graph(CREATE, { input })).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(CREATE, { input })).errors)).toEqual(['NOT_FOUND']);
  });

  it('can have only editors of the project as approvers: no stranger, guest, viewer or disabled account', async () => {
    const { db, owner, project, organization, stranger, ann, bob, cyd, join } = await newApprovalWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    await join(guest, 'EDITOR');
    await join(bob, 'VIEWER');
    await db.prisma.user.update({ where: { id: cyd.id }, data: { disabledAt: new Date() } });
    for (const wrong of [stranger.id, guest.id, bob.id, cyd.id, 'nobody']) {
      const steps = [{ name: 'y', approverIds: [ann.id, wrong] }];
      const input = { projectId: project.id, processes: [{ name: 'x', steps }] };
      expect(await owner.graph(CREATE, { input })).toMatchObject({
        errors: [{ message: 'Editor of the project not found.', extensions: { code: 'NOT_FOUND' } }],
      });
    }
    expect(await db.prisma.process.count({ where: { projectId: project.id } })).toBe(0);
  });

  it.each([
    ['no processes', [], 'processes'],
    ['no steps', [{ name: 'x', steps: [] }], 'processes.0.steps'],
    [
      'a step without approvers',
      [{ name: 'x', steps: [{ name: 'y', approverIds: [] }] }],
      'processes.0.steps.0.approverIds',
    ],
    ['an empty name', [{ name: ' ', steps: [{ name: 'y', approverIds: ['a'] }] }], 'processes.0.name'],
  ])('with %s are refused, with the path of the input', async (_, processes, at) => {
    const { owner, project } = await newApprovalWorld();
    const { errors } = await owner.graph(CREATE, { input: { projectId: project.id, processes } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', at });
  });

  it('change their steps, which keep their ids if the input has them', async () => {
    const { owner, process, ann, bob, cyd, db } = await newApprovalWorld();
    const created = await process({ name: 'A', approvers: [ann] }, { name: 'B', approvers: [bob] });
    const [a, b] = await db.prisma.processStep.findMany({
      where: { processId: created.id },
      orderBy: { rank: 'asc' },
    });
    const steps = [
      { id: b?.id, name: 'B2', rule: 'ALL', approverIds: [cyd.id] },
      { name: 'New', approverIds: [ann.id] },
      { id: a?.id, name: 'A', approverIds: [ann.id] },
    ];
    const { data } = await owner.graph(UPDATE, {
      input: { processId: created.id, steps, expectedVersion: 1 },
    });
    expect(data.updateProcess.process).toMatchObject({
      name: 'Release',
      version: 2,
      steps: {
        nodes: [
          { id: b?.id, name: 'B2', rank: 0, rule: 'ALL', approvers: { nodes: [{ id: cyd.id }] } },
          { name: 'New', rank: 1 },
          { id: a?.id, rank: 2 },
        ],
      },
    });
  });

  it('can drop a step that no run has reached, and no other', async () => {
    const { owner, process, start, document, ann, bob, db } = await newApprovalWorld();
    const created = await process({ name: 'A', approvers: [ann] }, { name: 'B', approvers: [bob] });
    await start(created, await document());
    const [a, b] = await db.prisma.processStep.findMany({
      where: { processId: created.id },
      orderBy: { rank: 'asc' },
    });
    const only = (step: typeof a) => ({
      input: { processId: created.id, steps: [{ id: step?.id, name: 'x', approverIds: [ann.id] }] },
    });
    expect(codes((await owner.graph(UPDATE, only(b))).errors)).toEqual(['CONFLICT']);
    expect(await db.prisma.processStep.count({ where: { processId: created.id } })).toBe(2);
    const { data } = await owner.graph(UPDATE, only(a));
    expect(data.updateProcess.process.steps.nodes).toMatchObject([{ id: a?.id, name: 'x' }]);
  });

  it('refuse steps of another process, repeated steps, and a stale version', async () => {
    const { owner, process, ann, db } = await newApprovalWorld();
    const [created, other] = [await process({ approvers: [ann] }), await process({ approvers: [ann] })];
    const foreign = await db.prisma.processStep.findFirst({ where: { processId: other.id } });
    const own = await db.prisma.processStep.findFirst({ where: { processId: created.id } });
    const step = (id: string | undefined) => ({ id, name: 'x', approverIds: [ann.id] });
    const tries = [
      { steps: [step(foreign?.id)] },
      { steps: [step(own?.id), step(own?.id)] },
      { name: 'Late', expectedVersion: 7 },
    ];
    const answers = [];
    for (const each of tries)
      answers.push(codes((await owner.graph(UPDATE, { input: { processId: created.id, ...each } })).errors));
    expect(answers).toEqual([['NOT_FOUND'], ['BAD_USER_INPUT'], ['CONFLICT']]);
    expect((await db.prisma.process.findUniqueOrThrow({ where: { id: created.id } })).version).toBe(1);
  });

  it('cannot be started while disabled', async () => {
    const { owner, process, document, ann } = await newApprovalWorld();
    const created = await process({ approvers: [ann] });
    const itemIds = [await document()];
    const disabled = await owner.graph(UPDATE, { input: { processId: created.id, disabled: true } });
    expect(disabled.data.updateProcess.process.disabled).toBe(true);
    const start = () => owner.graph(START, { input: { processId: created.id, itemIds } });
    expect(codes((await start()).errors)).toEqual(['CONFLICT']);
    await owner.graph(UPDATE, { input: { processId: created.id, disabled: false } });
    expect((await start()).data.startProcess.runs).toHaveLength(1);
  });

  it('cannot be changed by an editor, and are not found by a stranger', async () => {
    const { ann, bob, stranger, process } = await newApprovalWorld();
    const created = await process({ approvers: [ann] });
    const input = { processId: created.id, name: 'Mine' };
    expect(codes((await bob.graph(UPDATE, { input })).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(UPDATE, { input })).errors)).toEqual(['NOT_FOUND']);
    const read = `query ($id: ID!) { process(id: $id) { id } node(id: $id) { id } }`;
    expect((await stranger.graph(read, { id: created.id })).data).toEqual({ process: null, node: null });
  });

  it('start on documents and tasks together, with approvals of the first step', async () => {
    const { owner, process, document, task, ann, bob } = await newApprovalWorld();
    const created = await process(
      { name: 'First', approvers: [ann, bob] },
      { name: 'Second', approvers: [bob] },
    );
    const itemIds = [await task(), await document()];
    const { data } = await owner.graph(START, {
      input: { processId: created.id, itemIds: [...itemIds, itemIds[0]] },
    });
    const approval = {
      state: 'PENDING',
      step: { name: 'First' },
      approvers: { nodes: [{ user: { id: ann.id } }, { user: { id: bob.id } }] },
    };
    expect(data.startProcess.runs).toEqual([
      { state: 'PENDING', item: { itemId: itemIds[0], kind: 'TASK' }, approvals: { nodes: [approval] } },
      { state: 'PENDING', item: { itemId: itemIds[1], kind: 'DOCUMENT' }, approvals: { nodes: [approval] } },
    ]);
  });

  it('start on all items, or on none', async () => {
    const { db, owner, stranger, organization, process, start, document, task, ann, bob } =
      await newApprovalWorld();
    const created = await process({ approvers: [ann] });
    const [elsewhere] = await createProjects(await owner.context(), {
      organizationId: organization.id,
      projects: [{ name: 'Other' }],
    });
    const [moved, recycled, done, running] = [
      await document(),
      await document(),
      await task(),
      await document(),
    ];
    await db.prisma.document.update({ where: { id: moved }, data: { projectId: elsewhere?.id } });
    const now = new Date();
    await db.prisma.document.update({
      where: { id: recycled },
      data: { state: 'RECYCLED', recycledAt: now, purgeAt: now },
    });
    await db.prisma.task.update({ where: { id: done }, data: { state: 'COMPLETED', completedAt: now } });
    await start(created, running);
    const valid = await document();
    const answers = [];
    for (const wrong of [moved, 'doc_nothing', created.id, recycled, done, running]) {
      const { errors } = await bob.graph(START, {
        input: { processId: created.id, itemIds: [valid, wrong] },
      });
      answers.push(codes(errors)?.[0]);
    }
    expect(answers).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'CONFLICT', 'CONFLICT']);
    expect(await db.prisma.processRun.count({ where: { processId: created.id } })).toBe(1);
    const input = { processId: created.id, itemIds: [valid] };
    expect(codes((await stranger.graph(START, { input })).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await bob.graph(START, { input: { ...input, itemIds: [] } })).errors)).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  it('cannot be started by a viewer of the project', async () => {
    const { process, document, ann, bob, join } = await newApprovalWorld();
    const created = await process({ approvers: [ann] });
    await join(bob, 'VIEWER');
    const input = { processId: created.id, itemIds: [await document()] };
    expect(codes((await bob.graph(START, { input })).errors)).toEqual(['FORBIDDEN']);
  });

  it('omit an approver who has become a viewer, and fail with a message when a step has no approver left', async () => {
    const { owner, process, document, ann, bob, join } = await newApprovalWorld();
    const created = await process({ name: 'Check', approvers: [ann, bob] });
    await join(ann, 'VIEWER');
    const input = async () => ({ input: { processId: created.id, itemIds: [await document()] } });
    const { data } = await owner.graph(START, await input());
    expect(data.startProcess.runs[0].approvals.nodes[0].approvers.nodes).toEqual([{ user: { id: bob.id } }]);
    await join(bob, 'VIEWER');
    expect((await owner.graph(START, await input())).errors?.[0]).toMatchObject({
      message: 'The step Check has no approver in the project; its process has to name one.',
      extensions: { code: 'CONFLICT' },
    });
  });

  it('are listed by name and by being disabled, with one statement a level', async () => {
    const { owner, project, process, start, document, ann, bob } = await newApprovalWorld();
    const query = `query ($id: ID!, $filter: ProcessFilter) { project(id: $id) { processes(first: 6, filter: $filter) { totalCount nodes {
      name steps(first: 3) { nodes { name approvers(first: 3) { nodes { name } } } } runs(first: 2) { nodes { state item { name } } } } } } }`;
    const created = await process({ approvers: [ann] }, { approvers: [bob, ann] });
    await start(created, await document());
    const few = await counted(() => owner.graph(query, { id: project.id }));
    for (let index = 0; index < 4; index++)
      await start(await process({ approvers: [ann, bob] }), await document());
    const many = await counted(() => owner.graph(query, { id: project.id }));
    expect(many.result.data.project.processes.totalCount).toBe(5);
    expect([...many.statements].sort()).toEqual([...few.statements].sort());
    expect(many.statements).toHaveLength(7);
    await owner.graph(UPDATE, { input: { processId: created.id, disabled: true } });
    const { data } = await owner.graph(query, {
      id: project.id,
      filter: { disabled: true, namePrefix: 'rel' },
    });
    expect(data.project.processes.totalCount).toBe(1);
  });
});
