import { describe, expect, it } from 'vitest';
import { moveDocuments, updateDocument } from '../../../src/domain/documents/document-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { updateTask } from '../../../src/domain/tasks/task-change.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { counted } from '../../support/database.ts';
import type { Person } from '../../support/world.ts';

const ZERO = '0001-01-01T00:00:00Z';

async function setUp() {
  const world = await newApprovalWorld();
  const base = `/organizations/${world.organization.id}/projects/${world.project.id}`;
  return {
    ...world,
    base,
    /** The names of the items of a person's pending approvals. */
    async waiting(person: Person, query = ''): Promise<string[]> {
      const { body } = await person.rest('GET', `${base}/approvals${query}`);
      return body.Approvals.map(({ ItemName }: { ItemName: string }) => ItemName);
    },
    act: (person: Person, verb: string, IDs: string[]) =>
      person.rest('POST', `${base}/approvals/actions/${verb}`, { IDs }),
  };
}

describe('approvals over REST v1', () => {
  it('are listed for their approvers, with every member of the record', async () => {
    const {
      owner,
      ann,
      bob,
      cyd,
      process,
      start,
      document,
      approvals,
      join,
      db,
      base,
      organization,
      project,
    } = await setUp();
    const memberId = await join(ann, 'EDITOR');
    const releaseProcess = await process({ name: 'Check', rule: 'ALL', approvers: [ann, bob] });
    const itemId = await document('permit.pdf');
    await start(releaseProcess, itemId);
    await owner.rest('POST', `${base}/approvals/actions/approve`, { IDs: [itemId] });
    const [approval] = await approvals(itemId);
    const file = await db.prisma.document.findUniqueOrThrow({ where: { id: itemId } });
    const creator = await db.prisma.user.findUniqueOrThrow({ where: { id: owner.id } });
    const bobs = await db.prisma.membership.findFirstOrThrow({
      where: { organizationId: organization.id, userId: bob.id },
    });
    const { status, body } = await ann.rest('GET', `${base}/approvals`);
    expect([status, body.PageSize, body.Cursor]).toEqual([200, 25, expect.any(String)]);
    expect(body.Approvals).toEqual([
      {
        ID: approval?.id,
        CreatedOn: approval?.createdAt.toISOString(),
        RoleID: '',
        RoleName: '',
        ProcessID: releaseProcess.id,
        ProcessName: 'Release',
        ProcessElementID: approval?.stepId,
        ProcessElementName: 'Check',
        ParticipationType: 'All',
        ApprovingTenantMemberIDs: { [memberId]: false, [bobs.id]: false },
        Result: '',
        ItemType: 'Document',
        ItemID: itemId,
        ItemCreatedOn: file.createdAt.toISOString(),
        ItemCreatedByUserID: owner.id,
        ItemCreatedByUserEmail: owner.email,
        ItemCreatedByUserName: creator.name,
        ItemCompletedOn: ZERO,
        ItemCompletedByUserID: '',
        ItemCompletedByUserEmail: '',
        ItemCompletedByUserName: '',
        ItemName: 'permit.pdf',
        ItemDescription: '',
        DocumentName: 'permit.pdf',
        DocumentCreatedOn: file.createdAt.toISOString(),
        DocumentCreatedByUserID: owner.id,
        DocumentCreatedByUserEmail: owner.email,
        DocumentCreatedByUserName: creator.name,
        DocumentPageCount: 3,
        DocumentFileSize: 48_213,
        DocumentClassificationID: '',
        DocumentClassificationName: '',
        DocumentPreviewMetadata: [],
        DocumentIsSigned: false,
        TaskDueOn: ZERO,
        ThumbnailUrl: '',
        OrganizationID: organization.id,
        ProjectID: project.id,
        ProjectName: 'Quay',
        AssignmentUserEmail: ann.email,
        AssignmentUserName: expect.stringMatching(/^Person /),
        ReceivedFromEmail: owner.email,
        ReceivedFromName: creator.name,
        ReceivedFromResult: '',
        ItemAncestorIDs: [],
        ItemParentName: '',
        ItemPreviewMetadata: [],
        Tags: [],
        AssetItemTags: [],
      },
    ]);
    const bobsList = (await bob.rest('GET', `${base}/approvals`)).body.Approvals;
    expect(bobsList[0].AssignmentUserEmail).toBe(bob.email);
    expect((await cyd.rest('GET', `${base}/approvals`)).body.Approvals).toEqual([]);
  });

  it('include the text and due time of a task, and the item once decided', async () => {
    const { ann, bob, process, start, task, act } = await setUp();
    const itemId = await task();
    await start(await process({ approvers: [ann, bob] }), itemId);
    const { body } = await act(ann, 'deny', [itemId]);
    expect(body).toMatchObject([
      {
        Result: 'Denied',
        ParticipationType: 'One',
        ItemType: 'Task',
        ItemID: itemId,
        ItemName: 'Check the permit',
        ItemDescription: 'All of it.',
        ItemCompletedOn: expect.stringMatching(/^20/),
        ItemCompletedByUserID: ann.id,
        ItemCompletedByUserEmail: ann.email,
        DocumentName: '',
        DocumentCreatedOn: ZERO,
        DocumentFileSize: 0,
        TaskDueOn: '2031-03-04T09:15:27.000Z',
      },
    ]);
    expect(Object.values(body[0].ApprovingTenantMemberIDs).sort()).toEqual([false, true]);
  });

  it.each([
    ['approve', 'Approved'],
    ['decline', 'Declined'],
    ['deny', 'Denied'],
  ])('accept %s under both paths, by the id of the approval or of the item, case-insensitively', async (verb, result) => {
    const { ann, requestApproval, base, waiting } = await setUp();
    const [first, second] = [await requestApproval(ann), await requestApproval(ann)];
    const answers = [
      await ann.rest('POST', `${base}/approvals/actions/${verb}`, { IDs: [first.id] }),
      await ann.rest('POST', `${base}/approvalActions/${verb}`, { ids: [second.itemId] }),
    ];
    expect(answers.map(({ status, body }) => [status, body[0].ID, body[0].Result])).toEqual([
      [200, first.id, result],
      [200, second.id, result],
    ]);
    expect(await waiting(ann)).toEqual([]);
  });

  it('answer 409 to a second action, and 403 to people who are not approvers', async () => {
    const { ann, bob, requestApproval, act } = await setUp();
    const { id, itemId } = await requestApproval(ann);
    expect((await act(bob, 'approve', [id])).status).toBe(403);
    expect((await act(ann, 'decline', [id])).status).toBe(200);
    const secondActions = [await act(ann, 'approve', [id]), await act(ann, 'deny', [itemId])];
    expect(secondActions.map(({ status, body }) => [status, body.message])).toEqual([
      [409, `IDs.0 "${id}": An approval was decided already.`],
      [409, `IDs.0 "${itemId}": An approval was decided already.`],
    ]);
  });

  it.each([
    ['approve', 'APPROVED'],
    ['deny', 'DENIED'],
    ['decline', 'DECLINED'],
  ])('store the Comment of %s with the decision and in its event', async (verb, state) => {
    const { ann, db, base, requestApproval } = await setUp();
    const { id } = await requestApproval(ann);
    const send = (Comment: unknown) =>
      ann.rest('POST', `${base}/approvals/actions/${verb}`, { IDs: [id], Comment });
    expect((await send('x'.repeat(2_001))).status).toBe(400);
    expect((await send(7)).status).toBe(400);
    expect((await send('Seen on site')).status).toBe(200);
    const { data } = await ann.graph(
      `query ($id: ID!) { approval(id: $id) { approvers(first: 2) { nodes { state comment } } } }`,
      { id },
    );
    expect(data.approval.approvers.nodes).toEqual([{ state, comment: 'Seen on site' }]);
    const event = await db.prisma.event.findFirst({
      where: { actorId: ann.id, data: { path: ['comment'], equals: 'Seen on site' } },
      orderBy: { sequence: 'desc' },
    });
    expect(event?.data).toMatchObject({ comment: 'Seen on site' });
  });

  it.each([
    ['no IDs', {}],
    ['empty IDs', { IDs: [] }],
    ['a number among the IDs', { IDs: ['a', 1] }],
    ['IDs that are a string', { IDs: 'a' }],
    ['an array', [{ IDs: ['a'] }]],
  ])('answer %s with 400, and the name of the member', async (_, body) => {
    const { ann, base } = await setUp();
    const answer = await ann.rest('POST', `${base}/approvals/actions/approve`, body);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringMatching(/^(?:ids|the body)\b/i),
    ]);
  });

  it('answer 404 to unknown ids and ids of another project, and change nothing', async () => {
    const { ann, requestApproval, act, waiting, stranger, base } = await setUp();
    const other = await newApprovalWorld();
    const [mine, theirs] = [await requestApproval(ann), await other.requestApproval(other.ann)];
    for (const unknownId of [theirs.id, theirs.itemId, 'apr_x', mine.id.toUpperCase()])
      expect((await act(ann, 'approve', [mine.id, unknownId])).status).toBe(404);
    expect((await stranger.rest('GET', `${base}/approvals`)).status).toBe(404);
    const otherBase = `/organizations/${other.organization.id}/projects/${other.project.id}`;
    const moved = await other.ann.rest('POST', `${otherBase}/approvals/actions/approve`, { IDs: [mine.id] });
    expect(moved.status).toBe(404);
    expect(await waiting(ann)).toEqual(['permit.pdf']);
  });

  it('are sorted by sortType, oldest first by default, and refuse unknown values', async () => {
    const { ann, process, start, document, task, waiting, base } = await setUp();
    const releaseProcess = await process({ approvers: [ann] });
    for (const item of [await document('b'), await task('C'), await document('a')])
      await start(releaseProcess, item);
    expect(await waiting(ann)).toEqual(['b', 'C', 'a']);
    expect(await waiting(ann, '?sortType=CreatedOn')).toEqual(['b', 'C', 'a']);
    expect(await waiting(ann, '?sortType=itemname')).toEqual(['a', 'b', 'C']);
    expect(await ann.rest('GET', `${base}/approvals?sortType=Sideways`)).toMatchObject({
      status: 400,
      body: { message: 'sortType "Sideways": must be one of CreatedOn, ItemName.' },
    });
  });

  it('are filtered by process, and paged to an empty page', async () => {
    const { ann, process, start, task, waiting, base } = await setUp();
    const [one, two] = [await process({ approvers: [ann] }), await process({ approvers: [ann] })];
    await start(one, await task('only'));
    await start(two, ...(await Promise.all(Array.from({ length: 26 }, (_, index) => task(`t${index}`)))));
    expect(await waiting(ann, `?processID=${one.id}`)).toEqual(['only']);
    expect(await waiting(ann, '?processID=prc_none')).toEqual([]);
    const sizes: number[] = [];
    for (let cursor: string | undefined; sizes.at(-1) !== 0; ) {
      const query = `?processID=${two.id}&sortType=ItemName${cursor === undefined ? '' : `&cursor=${cursor}`}`;
      const { body } = await ann.rest('GET', `${base}/approvals${query}`);
      sizes.push(body.Approvals.length);
      cursor = body.Cursor;
    }
    expect(sizes).toEqual([25, 1, 0]);
  });

  it('cost the same number of statements for any number of approvals', async () => {
    const { ann, bob, requestApproval, process, start, task, base } = await setUp();
    await requestApproval(ann);
    await start(await process({ approvers: [ann, bob] }), await task());
    const list = () => ann.rest('GET', `${base}/approvals`);
    await list();
    const few = await counted(list);
    for (let index = 0; index < 4; index++) await requestApproval(ann, bob);
    const many = await counted(list);
    expect(many.result.body.Approvals).toHaveLength(6);
    expect([...many.statements].sort()).toEqual([...few.statements].sort());
    expect(many.statements).toHaveLength(16);
  });

  it('say who decided the step before, and how', async () => {
    const { owner, ann, bob, process, start, document, act, base } = await setUp();
    const itemId = await document('permit.pdf');
    const steps = [
      { name: 'Check', approvers: [ann] },
      { name: 'Release', approvers: [bob] },
    ];
    await start(await process(...steps), itemId);
    const { body: decided } = await act(ann, 'approve', [itemId]);
    expect(decided).toMatchObject([
      { ReceivedFromEmail: owner.email, ReceivedFromResult: '', AssignmentUserEmail: '', Result: 'Approved' },
    ]);
    const { body } = await bob.rest('GET', `${base}/approvals`);
    expect(body.Approvals).toMatchObject([
      { ReceivedFromEmail: ann.email, ReceivedFromResult: 'Approved', AssignmentUserEmail: bob.email },
    ]);
  });

  it('have the tags of the item, and the folders or tasks above it that the caller sees', async () => {
    const { db, owner, ann, project, process, start, document, task, base, join } = await setUp();
    const ctx = await owner.context();
    const [folder] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Permits' }] });
    const [below] = await createFolders(ctx, {
      projectId: project.id,
      folders: [{ name: '2031', parentId: folder?.id }],
    });
    const [documentId, taskId, parentId] = [await document('a.pdf'), await task('Check'), await task('All')];
    await moveDocuments(ctx, { documentIds: [documentId], folderId: below?.id });
    await updateDocument(ctx, { documentId, tags: ['yard'] });
    await updateTask(ctx, { taskId, parentId, tags: ['crane'] });
    await start(await process({ approvers: [ann] }), documentId, taskId);
    const placed = async () => {
      const { body } = await ann.rest('GET', `${base}/approvals`);
      return body.Approvals.map(
        ({ ItemName, ItemAncestorIDs, ItemParentName, Tags }: Record<string, unknown>) => [
          ...[ItemName, ItemAncestorIDs, ItemParentName, Tags],
        ],
      );
    };
    expect(await placed()).toEqual([
      ['a.pdf', [folder?.id, below?.id], '2031', ['yard']],
      ['Check', [parentId], 'All', ['crane']],
    ]);
    await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
    await join(ann, 'EDITOR');
    expect(await placed()).toEqual([
      ['a.pdf', [], '', ['yard']],
      ['Check', [], '', ['crane']],
    ]);
  });
});
