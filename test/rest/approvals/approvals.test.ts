import { describe, expect, it } from 'vitest';
import { newOffice } from '../../support/approvals.ts';
import { counted } from '../../support/database.ts';
import type { Person } from '../../support/world.ts';

const ZERO = '0001-01-01T00:00:00Z';

async function setUp() {
  const office = await newOffice();
  const base = `/organizations/${office.organization.id}/projects/${office.project.id}`;
  return {
    ...office,
    base,
    /** The names of the items that wait for a person. */
    async waiting(person: Person, query = ''): Promise<string[]> {
      const { body } = await person.rest('GET', `${base}/approvals${query}`);
      return body.Approvals.map(({ ItemName }: { ItemName: string }) => ItemName);
    },
    act: (person: Person, verb: string, IDs: string[]) =>
      person.rest('POST', `${base}/approvals/actions/${verb}`, { IDs }),
  };
}

describe('approvals over REST v1', () => {
  it('are listed for whom they wait, with every member of the record', async () => {
    const { owner, ann, bob, cyd, process, start, document, approvals, join, db, base, organization } =
      await setUp();
    const memberId = await join(ann, 'EDITOR');
    const made = await process({ name: 'Check', rule: 'ALL', approvers: [ann, bob] });
    const itemId = await document('permit.pdf');
    await start(made, itemId);
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
        ProcessID: made.id,
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
      },
    ]);
    expect((await cyd.rest('GET', `${base}/approvals`)).body.Approvals).toEqual([]);
  });

  it('tell of a task by its text and due time, and of the item once it is decided', async () => {
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
  ])('take %s under both paths, by the id of the approval and of the item, in any case', async (verb, result) => {
    const { ann, asked, base, waiting } = await setUp();
    const [first, second] = [await asked(ann), await asked(ann)];
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

  it('answer a second action with 409, and what others are asked with 403', async () => {
    const { ann, bob, asked, act } = await setUp();
    const { id, itemId } = await asked(ann);
    expect((await act(bob, 'approve', [id])).status).toBe(403);
    expect((await act(ann, 'decline', [id])).status).toBe(200);
    const late = [await act(ann, 'approve', [id]), await act(ann, 'deny', [itemId])];
    expect(late.map(({ status, body }) => [status, body.message])).toEqual([
      [409, 'An approval was decided already.'],
      [409, 'An approval was decided already.'],
    ]);
  });

  it.each([
    ['no IDs', {}],
    ['empty IDs', { IDs: [] }],
    ['a number among the IDs', { IDs: ['a', 1] }],
    ['IDs that are a text', { IDs: 'a' }],
    ['an array', [{ IDs: ['a'] }]],
  ])('answer %s with 400, and the name of the member', async (_, body) => {
    const { ann, base } = await setUp();
    const answer = await ann.rest('POST', `${base}/approvals/actions/approve`, body);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringMatching(/^(?:ids|the body)\b/i),
    ]);
  });

  it('answer what is not there, and what is in another project, with 404 and change nothing', async () => {
    const { ann, asked, act, waiting, stranger, base } = await setUp();
    const other = await newOffice();
    const [mine, theirs] = [await asked(ann), await other.asked(other.ann)];
    for (const wrong of [theirs.id, theirs.itemId, 'apr_x', mine.id.toUpperCase()])
      expect((await act(ann, 'approve', [mine.id, wrong])).status).toBe(404);
    expect((await stranger.rest('GET', `${base}/approvals`)).status).toBe(404);
    const elsewhere = `/organizations/${other.organization.id}/projects/${other.project.id}`;
    const moved = await other.ann.rest('POST', `${elsewhere}/approvals/actions/approve`, { IDs: [mine.id] });
    expect(moved.status).toBe(404);
    expect(await waiting(ann)).toEqual(['permit.pdf']);
  });

  it('sort by the word of sortType, oldest first without it, and refuse other words', async () => {
    const { ann, process, start, document, task, waiting, base } = await setUp();
    const made = await process({ approvers: [ann] });
    for (const item of [await document('b'), await task('C'), await document('a')]) await start(made, item);
    expect(await waiting(ann)).toEqual(['b', 'C', 'a']);
    expect(await waiting(ann, '?sortType=CreatedOn')).toEqual(['b', 'C', 'a']);
    expect(await waiting(ann, '?sortType=itemname')).toEqual(['a', 'b', 'C']);
    expect(await ann.rest('GET', `${base}/approvals?sortType=Sideways`)).toMatchObject({
      status: 400,
      body: { message: 'sortType: Sideways is none of CreatedOn, ItemName.' },
    });
  });

  it('narrow to one process, and page to an empty end', async () => {
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

  it('cost the same statements, however many wait', async () => {
    const { ann, bob, asked, process, start, task, base } = await setUp();
    await asked(ann);
    await start(await process({ approvers: [ann, bob] }), await task());
    const list = () => ann.rest('GET', `${base}/approvals`);
    await list();
    const few = await counted(list);
    for (let index = 0; index < 4; index++) await asked(ann, bob);
    const many = await counted(list);
    expect(many.result.body.Approvals).toHaveLength(6);
    expect([...many.statements].sort()).toEqual([...few.statements].sort());
    expect(many.statements).toHaveLength(9);
  });
});
