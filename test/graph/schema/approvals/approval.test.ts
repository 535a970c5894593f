import { describe, expect, it } from 'vitest';
import { updateProcess } from '../../../../src/domain/approvals/process-change.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { newApprovalWorld } from '../../../support/approvals.ts';
import { counted } from '../../../support/database.ts';
import { config, newMember, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const FIELDS = `approvals { id state waitsForViewer decidedBy { id } run { state completedBy { id } }
  approvers(first: 3) { nodes { user { id } state comment delegatedFrom { id } } } }`;

const mutation = (verb: string) => {
  const input = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}ApprovalsInput`;
  return `mutation ($input: ${input}!) { ${verb}Approvals(input: $input) { ${FIELDS} } }`;
};

/** Decides approvals: returns them, or the codes of the errors. */
async function call(person: Person, verb: string, ids: unknown[], more: object = {}) {
  const { data, errors } = await person.graph(mutation(verb), { input: { ids, ...more } });
  return errors ? codes(errors) : data[`${verb}Approvals`].approvals;
}

const PENDING = `query ($filter: PendingApprovalFilter) { viewer { approvals(first: 20, filter: $filter) { totalCount nodes { id item { itemId } } } } }`;

const pending = async (person: Person, filter = {}): Promise<string[]> =>
  (await person.graph(PENDING, { filter })).data.viewer.approvals.nodes.map(
    (each: { id: string }) => each.id,
  );

describe('approvals', () => {
  it('are requested step by step from the approvers of each step, until the run is approved', async () => {
    const { ann, bob, cyd, owner, process, start, document, approvals } = await newApprovalWorld();
    const releaseProcess = await process({ approvers: [ann, bob] }, { rule: 'ALL', approvers: [bob, cyd] });
    const itemId = await document();
    await start(releaseProcess, itemId);
    const [first] = await approvals(itemId);
    expect([await pending(ann), await pending(bob), await pending(cyd)]).toEqual([
      [first?.id],
      [first?.id],
      [],
    ]);
    expect(await call(ann, 'approve', [first?.id], { comment: 'Fine.' })).toMatchObject([
      { state: 'APPROVED', waitsForViewer: false, decidedBy: { id: ann.id }, run: { state: 'PENDING' } },
    ]);
    const [, second] = await approvals(itemId);
    expect([await pending(ann), await pending(bob), await pending(cyd)]).toEqual([
      [],
      [second?.id],
      [second?.id],
    ]);
    expect(await call(bob, 'approve', [second?.id])).toMatchObject([{ state: 'PENDING', decidedBy: null }]);
    expect(await call(cyd, 'approve', [second?.id])).toMatchObject([
      { state: 'APPROVED', run: { state: 'APPROVED', completedBy: { id: cyd.id } } },
    ]);
    const query = `query ($id: ID!) { document(id: $id) { processRuns(first: 5) { nodes { state process { name }
      approvals(first: 5) { nodes { state rule approvers(first: 5) { nodes { state comment } } } } } } } }`;
    const { data } = await owner.graph(query, { id: itemId });
    expect(data.document.processRuns.nodes).toEqual([
      {
        state: 'APPROVED',
        process: { name: 'Release' },
        approvals: {
          nodes: [
            {
              state: 'APPROVED',
              rule: 'ONE',
              approvers: {
                nodes: [
                  { state: 'APPROVED', comment: 'Fine.' },
                  { state: 'PENDING', comment: null },
                ],
              },
            },
            {
              state: 'APPROVED',
              rule: 'ALL',
              approvers: {
                nodes: [
                  { state: 'APPROVED', comment: null },
                  { state: 'APPROVED', comment: null },
                ],
              },
            },
          ],
        },
      },
    ]);
  });

  it('that one approver declines stay with the others, and end the run without a decision if all decline', async () => {
    const { ann, bob, requestApproval } = await newApprovalWorld();
    const { id } = await requestApproval(ann, bob);
    expect(await call(ann, 'decline', [id])).toMatchObject([{ state: 'PENDING', run: { state: 'PENDING' } }]);
    expect([await pending(ann), await pending(bob)]).toEqual([[], [id]]);
    expect(await call(bob, 'decline', [id])).toMatchObject([
      { state: 'DECLINED', run: { state: 'DECLINED' } },
    ]);
    expect(await pending(bob)).toEqual([]);
  });

  it('that are declined leave the task open, and the process can be restarted', async () => {
    const { ann, db, process, start, task } = await newApprovalWorld();
    const releaseProcess = await process({ approvers: [ann] });
    const itemId = await task();
    await start(releaseProcess, itemId);
    await call(ann, 'decline', [itemId]);
    expect((await db.prisma.task.findUniqueOrThrow({ where: { id: itemId } })).state).toBe('OPEN');
    await start(releaseProcess, itemId);
    expect(await pending(ann)).toHaveLength(1);
  });

  it('that are denied end the run immediately, and deny the task', async () => {
    const { ann, bob, db, process, start, task } = await newApprovalWorld();
    const releaseProcess = await process({ rule: 'ALL', approvers: [ann, bob] }, { approvers: [bob] });
    const itemId = await task();
    await start(releaseProcess, itemId);
    expect(await call(ann, 'deny', [itemId], { comment: 'Wrong plan.' })).toMatchObject([
      { state: 'DENIED', run: { state: 'DENIED', completedBy: { id: ann.id } } },
    ]);
    expect(await pending(bob)).toEqual([]);
    const row = await db.prisma.task.findUniqueOrThrow({ where: { id: itemId } });
    expect(row).toMatchObject({ state: 'DENIED', completedById: ann.id, revisionNumber: 2, version: 2 });
    const events = await db.prisma.event.findMany({
      where: { subjectId: itemId },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ kind }) => kind)).toEqual([
      'task.processStarted',
      'task.processEnded',
      'task.denied',
    ]);
  });

  it('of a document do not change the document when denied, and are listed with it', async () => {
    const { ann, owner, requestApproval } = await newApprovalWorld();
    const { id, itemId } = await requestApproval(ann);
    const waiting = `query ($id: ID!) { document(id: $id) { pendingApproval { id step { name } } } }`;
    expect((await owner.graph(waiting, { id: itemId })).data.document.pendingApproval).toEqual({
      id,
      step: { name: 'Step 0' },
    });
    await call(ann, 'deny', [itemId]);
    const query = `query ($id: ID!) { document(id: $id) { state version pendingApproval { id } processRuns(first: 1) { nodes { state } } } }`;
    expect((await owner.graph(query, { id: itemId })).data.document).toEqual({
      state: 'ACTIVE',
      version: 1,
      pendingApproval: null,
      processRuns: { nodes: [{ state: 'DENIED' }] },
    });
  });

  it.each([
    'approve',
    'decline',
    'deny',
  ])('that were decided refuse to %s, and nothing changes', async (verb) => {
    const { ann, bob, requestApproval, approvals, db, organization } = await newApprovalWorld();
    const { id, itemId } = await requestApproval(ann, bob);
    await call(ann, 'approve', [id]);
    const before = await approvals(itemId);
    const events = () => db.prisma.event.count({ where: { organizationId: organization.id } });
    const eventCount = await events();
    expect([await call(ann, verb, [id]), await call(bob, verb, [itemId])]).toEqual([
      ['CONFLICT'],
      ['CONFLICT'],
    ]);
    expect([await approvals(itemId), await events()]).toEqual([before, eventCount]);
  });

  it('of a batch are all decided, or none', async () => {
    const { ann, bob, requestApproval, approvals, db, organization } = await newApprovalWorld();
    const [mine, other, theirs, done] = [
      await requestApproval(ann),
      await requestApproval(ann),
      await requestApproval(bob),
      await requestApproval(ann),
    ];
    await call(ann, 'approve', [done.id]);
    const eventCount = await db.prisma.event.count({ where: { organizationId: organization.id } });
    const answers = [];
    for (const wrong of [theirs.id, done.id, 'apr_nothing', ''])
      answers.push(await call(ann, 'deny', [mine.id, wrong, other.itemId]));
    expect(answers).toEqual([['FORBIDDEN'], ['CONFLICT'], ['NOT_FOUND'], ['NOT_FOUND']]);
    for (const { itemId } of [mine, other, theirs])
      expect((await approvals(itemId))[0]?.state).toBe('PENDING');
    expect(await db.prisma.event.count({ where: { organizationId: organization.id } })).toBe(eventCount);
  });

  it('can be selected by their own ids or by their items, each once', async () => {
    const { ann, requestApproval, approvals } = await newApprovalWorld();
    const [first, second] = [await requestApproval(ann), await requestApproval(ann)];
    const ids = [second.itemId, first.id, first.itemId, first.id];
    const answer = await call(ann, 'approve', ids);
    expect(answer.map((each: { id: string }) => each.id)).toEqual([second.id, first.id]);
    expect((await approvals(first.itemId))[0]?.version).toBe(2);
  });

  it('are all decided if an item has several pending ones', async () => {
    const { ann, bob, process, start, document } = await newApprovalWorld();
    const itemId = await document();
    for (const approver of [ann, bob, ann]) await start(await process({ approvers: [approver] }), itemId);
    expect(await call(ann, 'approve', [itemId])).toHaveLength(2);
    expect([await pending(ann), await pending(bob)]).toEqual([[], [expect.any(String)]]);
  });

  it.each([
    ['no ids', []],
    ['more ids than a batch may have', Array.from({ length: config.limits.batchMax + 1 }, () => 'apr_x')],
  ])('of a batch with %s are refused', async (_, ids) => {
    const { ann } = await newApprovalWorld();
    // Of so many, little can be selected within the limit of points.
    const approve =
      'mutation ($input: ApproveApprovalsInput!) { approveApprovals(input: $input) { approvals { id } } }';
    expect(codes((await ann.graph(approve, { input: { ids } })).errors)).toEqual(['BAD_USER_INPUT']);
  });

  it('refuse a comment that is too long', async () => {
    const { ann, requestApproval } = await newApprovalWorld();
    const { id } = await requestApproval(ann);
    expect(await call(ann, 'approve', [id], { comment: 'x'.repeat(2_001) })).toEqual(['BAD_USER_INPUT']);
    expect(await pending(ann)).toEqual([id]);
  });

  it('answer FORBIDDEN to people who are not approvers, and NOT_FOUND to strangers', async () => {
    const { ann, bob, stranger, requestApproval } = await newApprovalWorld();
    const { id, itemId } = await requestApproval(ann);
    for (const verb of ['approve', 'decline', 'deny'])
      for (const each of [id, itemId])
        expect([await call(bob, verb, [each]), await call(stranger, verb, [each])]).toEqual([
          ['FORBIDDEN'],
          ['NOT_FOUND'],
        ]);
    const read = `query ($id: ID!) { approval(id: $id) { id } node(id: $id) { id } }`;
    expect((await bob.graph(read, { id })).data).toEqual({ approval: { id }, node: { id } });
    expect((await stranger.graph(read, { id })).data).toEqual({ approval: null, node: null });
    expect([await pending(bob), await pending(stranger)]).toEqual([[], []]);
  });

  it('are not found in another project or organization', async () => {
    const { ann, requestApproval, organization, project, stranger } = await newApprovalWorld();
    const { id } = await requestApproval(ann);
    const theirs = (await stranger.context()).viewer.memberships[0]?.organizationId;
    expect(await call(ann, 'approve', [id], { projectId: 'prj_x' })).toEqual(['NOT_FOUND']);
    expect(await call(ann, 'approve', [id], { organizationId: theirs })).toEqual(['NOT_FOUND']);
    expect(await call(ann, 'approve', [id], { projectId: project.id, organizationId: theirs })).toEqual([
      'NOT_FOUND',
    ]);
    const here = { projectId: project.id, organizationId: organization.id };
    expect(await call(ann, 'approve', [id], here)).toMatchObject([{ state: 'APPROVED' }]);
  });

  it('cannot be decided by an approver who has become a viewer', async () => {
    const { ann, requestApproval, join } = await newApprovalWorld();
    const { id } = await requestApproval(ann);
    await join(ann, 'VIEWER');
    expect(await call(ann, 'approve', [id])).toEqual(['FORBIDDEN']);
  });

  it('cannot be decided while their item is recycled or completed', async () => {
    const { ann, db, requestApproval, process, start, task } = await newApprovalWorld();
    const { id, itemId } = await requestApproval(ann);
    const taskId = await task();
    await start(await process({ approvers: [ann] }), taskId);
    const now = new Date();
    const recycle = (state: 'ACTIVE' | 'RECYCLED', at: Date | null) =>
      db.prisma.document.update({ where: { id: itemId }, data: { state, recycledAt: at, purgeAt: at } });
    await recycle('RECYCLED', now);
    await db.prisma.task.update({ where: { id: taskId }, data: { state: 'COMPLETED', completedAt: now } });
    expect(await pending(ann)).toEqual([]);
    expect([await call(ann, 'deny', [id]), await call(ann, 'deny', [taskId])]).toEqual([
      ['CONFLICT'],
      ['CONFLICT'],
    ]);
    expect((await db.prisma.task.findUniqueOrThrow({ where: { id: taskId } })).state).toBe('COMPLETED');
    await recycle('ACTIVE', null);
    expect(await pending(ann)).toEqual([id]);
  });

  it('cannot be decided in a disabled project', async () => {
    const { ann, owner, project, requestApproval } = await newApprovalWorld();
    const { id } = await requestApproval(ann);
    await updateProject(await owner.context(), { projectId: project.id, disabled: true });
    expect(await call(ann, 'approve', [id])).toEqual(['CONFLICT']);
  });

  it('stop before a step without approvers in the project, and continue when it has one', async () => {
    const { ann, bob, owner, process, start, document, db, organization } = await newApprovalWorld();
    const releaseProcess = await process({ approvers: [ann] }, { name: 'Last', approvers: [bob] });
    const itemId = await document();
    await start(releaseProcess, itemId);
    await db.prisma.membership.deleteMany({ where: { organizationId: organization.id, userId: bob.id } });
    expect(await call(ann, 'approve', [itemId])).toEqual(['CONFLICT']);
    const [first, last] = await db.prisma.processStep.findMany({
      where: { processId: releaseProcess.id },
      orderBy: { rank: 'asc' },
    });
    const steps = [
      { id: first?.id, name: 'First', approverIds: [ann.id] },
      { id: last?.id, name: 'Last', approverIds: [owner.id] },
    ];
    await updateProcess(await owner.context(), { processId: releaseProcess.id, steps });
    expect(await call(ann, 'approve', [itemId])).toMatchObject([
      { state: 'APPROVED', run: { state: 'PENDING' } },
    ]);
    expect(await pending(owner)).toHaveLength(1);
  });

  it('append an event with the decision, its author and comment', async () => {
    const { ann, bob, requestApproval, db } = await newApprovalWorld();
    const { id, itemId } = await requestApproval(ann, bob);
    await call(ann, 'decline', [id], { comment: 'Not mine.' });
    await call(bob, 'approve', [id]);
    const events = await db.prisma.event.findMany({
      where: { subjectId: { in: [id, itemId] } },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ kind, actorId }) => [kind, actorId])).toEqual([
      ['document.processStarted', expect.any(String)],
      ['approval.declined', ann.id],
      ['approval.approved', bob.id],
      ['document.processEnded', bob.id],
    ]);
    expect(events[1]?.data).toMatchObject({ comment: 'Not mine.', after: { state: 'PENDING' }, itemId });
    expect(events[3]?.data).toMatchObject({ result: 'APPROVED' });
  });
});

describe('delegation', () => {
  it('replaces the approver: the new one can decide, the former one cannot', async () => {
    const { ann, bob, requestApproval } = await newApprovalWorld();
    const { id } = await requestApproval(ann);
    expect(await call(ann, 'delegate', [id], { toUserId: bob.id })).toMatchObject([
      { state: 'PENDING', approvers: { nodes: [{ user: { id: bob.id }, delegatedFrom: { id: ann.id } }] } },
    ]);
    expect([await pending(ann), await pending(bob)]).toEqual([[], [id]]);
    expect(await call(ann, 'approve', [id])).toEqual(['FORBIDDEN']);
    expect(await call(bob, 'approve', [id])).toMatchObject([{ state: 'APPROVED' }]);
  });

  it('requires an editor of the project who is not an approver yet, for all approvals or none', async () => {
    const { ann, bob, cyd, stranger, requestApproval, join, approvals } = await newApprovalWorld();
    const [both, one] = [await requestApproval(ann, bob), await requestApproval(ann)];
    await join(cyd, 'VIEWER');
    const answers = [];
    for (const toUserId of [bob.id, ann.id, cyd.id, stranger.id, 'nobody'])
      answers.push(await call(ann, 'delegate', [one.id, both.id], { toUserId }));
    expect(answers).toEqual([['CONFLICT'], ['CONFLICT'], ['NOT_FOUND'], ['NOT_FOUND'], ['NOT_FOUND']]);
    expect((await approvals(one.itemId))[0]?.approvers).toMatchObject([
      { userId: ann.id, delegatedFromId: null },
    ]);
  });

  it('by an admin replaces an approver who left; by an editor is FORBIDDEN', async () => {
    const { ann, bob, cyd, owner, db, organization, requestApproval } = await newApprovalWorld();
    const { id } = await requestApproval(ann);
    await db.prisma.membership.deleteMany({ where: { organizationId: organization.id, userId: ann.id } });
    const more = { toUserId: bob.id, fromUserId: ann.id };
    expect(await call(cyd, 'delegate', [id], more)).toEqual(['FORBIDDEN']);
    expect(await call(owner, 'delegate', [id], more)).toMatchObject([{ state: 'PENDING' }]);
    expect(await pending(bob)).toEqual([id]);
  });

  it('of a decided approval is a CONFLICT, and of an approval with other approvers is FORBIDDEN', async () => {
    const { ann, bob, cyd, requestApproval } = await newApprovalWorld();
    const { id } = await requestApproval(ann);
    expect(await call(cyd, 'delegate', [id], { toUserId: bob.id })).toEqual(['FORBIDDEN']);
    await call(ann, 'approve', [id]);
    expect(await call(ann, 'delegate', [id], { toUserId: bob.id })).toEqual(['CONFLICT']);
  });
});

describe('in a restricted project, approvals', () => {
  async function restricted() {
    const office = await newApprovalWorld();
    const { owner, project, ann, bob, cyd, join } = office;
    await updateProject(await owner.context(), { projectId: project.id, access: 'RESTRICTED' });
    for (const each of [ann, bob, cyd]) await join(each, 'EDITOR');
    return office;
  }
  const VISIBLE = `query ($id: ID!, $project: ID!) { node(id: $id) { id } project(id: $project) {
    approvals(first: 5) { totalCount } documents(first: 5) { totalCount } } }`;
  const visible = async (person: Person, id: string, project: string) => {
    const { data } = await person.graph(VISIBLE, { id, project });
    return [data.node !== null, data.project.approvals.totalCount, data.project.documents.totalCount];
  };

  it('make their item visible to their approvers, and to nobody else who is not assigned', async () => {
    const { ann, bob, owner, project, requestApproval } = await restricted();
    const { itemId } = await requestApproval(ann);
    expect(await visible(ann, itemId, project.id)).toEqual([true, 1, 1]);
    expect(await visible(bob, itemId, project.id)).toEqual([false, 0, 0]);
    expect(await visible(owner, itemId, project.id)).toEqual([true, 1, 1]);
    expect(await call(bob, 'approve', [itemId])).toEqual(['NOT_FOUND']);
    await call(ann, 'approve', [itemId]);
    expect(await visible(ann, itemId, project.id)).toEqual([true, 1, 1]);
  });

  it('make their item visible to both sides of a delegation', async () => {
    const { ann, bob, cyd, project, requestApproval } = await restricted();
    const { id, itemId } = await requestApproval(ann);
    expect(await call(ann, 'delegate', [id], { toUserId: bob.id })).toMatchObject([{ id }]);
    expect(await visible(bob, itemId, project.id)).toEqual([true, 1, 1]);
    expect(await visible(ann, itemId, project.id)).toEqual([true, 1, 1]);
    expect(await visible(cyd, itemId, project.id)).toEqual([false, 0, 0]);
  });

  it('make a task visible the same way, until the approver leaves the project', async () => {
    const { ann, db, project, process, start, task, approvals } = await restricted();
    const itemId = await task();
    await start(await process({ approvers: [ann] }), itemId);
    const [approval] = await approvals(itemId);
    const query = `query ($id: ID!) { approval(id: $id) { item { kind name description dueAt document { id } } } }`;
    expect((await ann.graph(query, { id: approval?.id })).data.approval.item).toEqual({
      kind: 'TASK',
      name: 'Check the permit',
      description: 'All of it.',
      dueAt: '2031-03-04T09:15:27.000Z',
      document: null,
    });
    await db.prisma.projectMember.deleteMany({ where: { projectId: project.id, userId: ann.id } });
    expect((await ann.graph(query, { id: approval?.id })).data.approval).toBeNull();
    expect([await pending(ann), await call(ann, 'approve', [itemId])]).toEqual([[], ['NOT_FOUND']]);
  });
});

describe('the lists of approvals', () => {
  const LIST = `query ($id: ID!, $filter: ApprovalFilter, $orderBy: ApprovalOrder, $after: String) { project(id: $id) {
    approvals(first: 3, filter: $filter, orderBy: $orderBy, after: $after) { totalCount nodes { id item { name } } pageInfo { endCursor } } } }`;

  it('are filtered, ordered and paged', async () => {
    const { ann, bob, project, process, start, document, task } = await newApprovalWorld();
    const [mine, theirs] = [await process({ approvers: [ann] }), await process({ approvers: [bob] })];
    const items = [await document('b'), await task('A'), await document('c'), await task('d')];
    await start(mine, ...items);
    await start(theirs, items[0] as string);
    const list = async (more: object) =>
      (await ann.graph(LIST, { id: project.id, ...more })).data.project.approvals;
    const orderBy = { field: 'ITEM_NAME', direction: 'DESC' };
    const names = (page: { nodes: { item: { name: string } }[] }) => page.nodes.map(({ item }) => item.name);
    const first = await list({ orderBy });
    const next = await list({ orderBy, after: first.pageInfo.endCursor });
    expect([first.totalCount, names(first), names(next)]).toEqual([5, ['d', 'c', 'b'], ['b', 'A']]);
    expect((await list({ filter: { waitsForViewer: true } })).totalCount).toBe(4);
    expect((await list({ filter: { waitsForViewer: false } })).totalCount).toBe(1);
    expect((await list({ filter: { processId: theirs.id } })).totalCount).toBe(1);
    expect((await list({ filter: { itemId: items[0] } })).totalCount).toBe(2);
    await call(ann, 'approve', [items[1]]);
    expect(names(await list({ filter: { state: 'APPROVED' } }))).toEqual(['A']);
  });

  it('are ordered by the current names of their items', async () => {
    const { ann, project, process, start, document, task } = await newApprovalWorld();
    const items = [await document('b'), await task('A'), await document('c')];
    await start(await process({ approvers: [ann] }), ...items);
    await ann.graph(
      `mutation ($id: ID!) { updateDocument(input: { documentId: $id, name: "z" }) { document { id } } }`,
      {
        id: items[0],
      },
    );
    await ann.graph(`mutation ($id: ID!) { updateTask(input: { taskId: $id, name: "m" }) { task { id } } }`, {
      id: items[1],
    });
    const { data } = await ann.graph(LIST, { id: project.id, orderBy: { field: 'ITEM_NAME' } });
    const { nodes } = data.project.approvals;
    expect(nodes.map(({ item }: { item: { name: string } }) => item.name)).toEqual(['c', 'm', 'z']);
  });

  it('of the viewer’s pending approvals span projects and organizations, and can be filtered by one', async () => {
    const { ann, db, requestApproval, project } = await newApprovalWorld();
    const other = await newApprovalWorld();
    const { id } = await requestApproval(ann);
    await db.prisma.membership.create({
      data: {
        organizationId: other.organization.id,
        id: `mem_${ann.id.slice(4)}`,
        userId: ann.id,
        role: 'MEMBER',
        createdById: ann.id,
      },
    });
    const there = await other.requestApproval(ann);
    expect(await pending(ann)).toEqual([id, there.id]);
    expect(await pending(ann, { projectId: project.id })).toEqual([id]);
    expect(await pending(ann, { organizationId: other.organization.id })).toEqual([there.id]);
    expect(await pending(ann, { itemId: there.itemId })).toEqual([there.id]);
    expect(await pending(ann, { processId: 'prc_x' })).toEqual([]);
  });

  it('need one statement a level, for any number of approvals', async () => {
    const { ann, bob, requestApproval, process, start, task } = await newApprovalWorld();
    const query = `{ viewer { approvals(first: 10) { nodes { state project { name } process { name } step { name }
      run { state } item { name document { name } } approvers(first: 3) { nodes { state user { name } } } } } } }`;
    await requestApproval(ann);
    await start(await process({ approvers: [ann, bob] }), await task());
    await pending(ann);
    const few = await counted(() => ann.graph(query));
    for (let index = 0; index < 4; index++) await requestApproval(ann, bob);
    const many = await counted(() => ann.graph(query));
    expect(many.result.data.viewer.approvals.nodes).toHaveLength(6);
    expect([...many.statements].sort()).toEqual([...few.statements].sort());
    expect(many.statements).toHaveLength(8);
  });

  it('are visible to a guest with the role VIEWER, who can decide none', async () => {
    const { db, ann, organization, project, requestApproval, join } = await newApprovalWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    await join(guest, 'VIEWER');
    const { id } = await requestApproval(ann);
    const { data } = await guest.graph(LIST, { id: project.id });
    expect(data.project.approvals.totalCount).toBe(1);
    expect(await call(guest, 'approve', [id])).toEqual(['FORBIDDEN']);
  });
});
