import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';
import { newRestWorld } from '../fixture.ts';

const ZERO = '0001-01-01T00:00:00Z';

async function setUp() {
  const world = await newRestWorld();
  const base = `/organizations/${world.organization.id}/projects/${world.project.id}/tasks`;
  return { ...world, base, path: `${base}/${world.task.id}` };
}

type World = Awaited<ReturnType<typeof setUp>>;

const names = async ({ owner, base }: World, query = ''): Promise<string[]> => {
  const { body } = await owner.rest('GET', base + query);
  return body.Tasks.map(({ Name }: { Name: string }) => Name);
};

const DENY = `mutation ($id: ID!) { denyTask(input: { taskId: $id, result: "no" }) { task { id } } }`;

describe('GET tasks', () => {
  it('filters by open, completed and denied', async () => {
    const world = await setUp();
    const { owner, base, path } = world;
    const created = (await owner.rest('POST', base, [{ Name: 'Done' }, { Name: 'Denied' }])).body;
    await owner.rest('POST', `${base}/${created[0].ID}/actions/complete`);
    await owner.graph(DENY, { id: created[1].ID });
    expect(await names(world)).toEqual(['Task', 'Done', 'Denied']);
    expect(await names(world, '?activeOnly=True')).toEqual(['Task']);
    expect(await names(world, '?COMPLETEDONLY=true')).toEqual(['Done']);
    expect(await names(world, '?deniedOnly=true&activeOnly=false')).toEqual(['Denied']);
    expect((await owner.rest('GET', `${base}?activeOnly=maybe`)).status).toBe(400);
    expect((await owner.rest('GET', path)).body.Result).toBe('');
    expect((await owner.rest('GET', `${base}/${created[1].ID}`)).body.Result).toBe('Denied');
  });

  it('is paged until a page is empty', async () => {
    const { owner, base } = await setUp();
    await owner.rest(
      'POST',
      base,
      Array.from({ length: 26 }, (_, index) => ({ Name: `T${index}` })),
    );
    const first = (await owner.rest('GET', base)).body;
    const second = (await owner.rest('GET', `${base}?cursor=${first.Cursor}`)).body;
    const third = (await owner.rest('GET', `${base}?cursor=${second.Cursor}`)).body;
    expect([first, second, third].map(({ Tasks, PageSize }) => [Tasks.length, PageSize])).toEqual([
      [25, 25],
      [2, 25],
      [0, 25],
    ]);
    expect((await owner.rest('GET', `${base}?cursor=nonsense`)).status).toBe(400);
  });
});

describe('GET completedTasks, deniedTasks and taskStats', () => {
  it('have the tasks of their states, and their numbers', async () => {
    const world = await setUp();
    const { owner, base } = world;
    const project = base.replace(/tasks$/, '');
    const late = '2020-01-01T00:00:00Z';
    const duration = { DurationMultiplier: 150, DurationInterval: 'Minute' };
    const { body: created } = await owner.rest('POST', base, [
      { Name: 'Done', DueOn: late, ...duration },
      { Name: 'Denied' },
    ]);
    await owner.rest('POST', `${base}/${created[0].ID}/actions/complete`);
    await owner.graph(DENY, { id: created[1].ID });
    const namesOf = async (list: string) =>
      (await owner.rest('GET', `${project}${list}`)).body.Tasks.map(({ Name }: { Name: string }) => Name);
    expect([await namesOf('completedTasks'), await namesOf('deniedTasks')]).toEqual([['Done'], ['Denied']]);
    expect((await owner.rest('GET', `${project}taskStats?completedOnly=true`)).body).toEqual({
      ...{ TotalInFilter: 1, TotalOnTime: 0, TotalPastDue: 1, TotalUnscheduled: 0 },
      ...{ TotalDurationInMinutes: 150, TotalDurationAsString: '2h 30m' },
    });
    expect((await owner.rest('GET', `${project}taskStats?deniedOnly=true`)).body).toMatchObject({
      ...{ TotalInFilter: 1, TotalUnscheduled: 1, TotalDurationAsString: '0m' },
    });
  });
});

describe('POST tasks', () => {
  it('accepts whole records, links their documents, and ignores members that the server owns', async () => {
    const { owner, base, document, other, task } = await setUp();
    const record = (await owner.rest('GET', `${base}/${task.id}`)).body;
    const { status, body } = await owner.rest('POST', base, [
      {
        ...record,
        Name: 'Copy',
        Description: 'plain',
        DescriptionHtml: '<p>plain</p>',
        DueOn: '2031-03-08T09:15:27.402118Z',
        Revision: 7,
        Result: 'Completed',
        CompletedOn: '2030-01-01T00:00:00Z',
        CreatedByUserEmail: 'someone@example.test',
        ParentTaskID: task.id,
        PrimaryDocument: record.OtherDocuments[0],
        OtherDocuments: [record.PrimaryDocument],
      },
      { Name: 'Bare', PrimaryDocument: { ID: '', DocumentID: '' }, OtherDocuments: [], DueOn: ZERO },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        Name: 'Copy',
        NameLower: 'copy',
        Description: 'plain',
        DescriptionHtml: '<p>plain</p>',
        AssignmentUserEmail: owner.email,
        AssignmentUserNameLower: record.AssignmentUserName.toLowerCase(),
        DueOn: '2031-03-08T09:15:27.402Z',
        Reminder_7_Day: '2031-03-01T09:15:27.402Z',
        Reminder_3_Day: '2031-03-05T09:15:27.402Z',
        Reminder_1_Day: '2031-03-07T09:15:27.402Z',
        DueOnModifiedOn: ZERO,
        Revision: 0,
        Result: '',
        CompletedOn: ZERO,
        CreatedByUserEmail: owner.email,
        ParentTaskID: task.id,
        PrimaryDocument: { DocumentID: other.id, Name: 'other.txt', DocumentFolderPath: '' },
        OtherDocuments: [{ DocumentID: document.id, DocumentFolderPath: 'Folder' }],
      },
      {
        Name: 'Bare',
        DueOn: ZERO,
        Reminder_1_Day: ZERO,
        PrimaryDocument: {
          ID: '',
          DocumentID: '',
          CreatedOn: ZERO,
          Revision: 0,
          ProjectAccessType: '',
          Origin: '',
        },
        OtherDocuments: [],
      },
    ]);
  });

  it.each([
    ['no name', { Description: 'x' }, 400],
    ['a name that is not a string', { Name: 7 }, 400],
    ['an invalid due time', { Name: 'x', DueOn: 'soon' }, 400],
    ['documents that are not an array', { Name: 'x', OtherDocuments: {} }, 400],
    ['a primary document that is not a record', { Name: 'x', PrimaryDocument: 'doc' }, 400],
    ['an unknown document', { Name: 'x', PrimaryDocument: { ID: newId('Document') } }, 404],
    ['an unknown parent', { Name: 'x', ParentTaskID: newId('Task') }, 404],
    ['a NUL', { Name: 'x', Description: 'a\0b' }, 400],
  ])('refuses %s, and creates none of the batch', async (_, item, expected) => {
    const world = await setUp();
    const { status, body } = await world.owner.rest('POST', world.base, [{ Name: 'fine' }, item]);
    expect([status, typeof body.message]).toEqual([expected, 'string']);
    expect(await names(world)).toEqual(['Task']);
  });

  it('refuses an empty batch, a guest and a disabled project', async () => {
    const { db, owner, organization, project, base } = await setUp();
    expect((await owner.rest('POST', base, [])).status).toBe(400);
    const guest = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, guest, 'EDITOR');
    expect((await guest.rest('POST', base, [{ Name: 'x' }])).status).toBe(403);
    await db.prisma.project.update({ where: { id: project.id }, data: { disabledAt: new Date() } });
    expect((await owner.rest('POST', base, [{ Name: 'x' }])).status).toBe(409);
  });
});

describe('GET and PUT tasks/{taskId}', () => {
  it('changes the members in the body, and removes empty ones', async () => {
    const { owner, path } = await setUp();
    const due = await owner.rest('PUT', path, { name: 'Renamed', dueon: '2031-03-08T00:00:00Z' });
    expect(due.body).toMatchObject({
      Name: 'Renamed',
      DueOn: '2031-03-08T00:00:00.000Z',
      DueOnModifiedOn: expect.stringMatching(/^20/),
      AssignmentUserEmail: owner.email,
      Revision: 1,
      ModifiedByUserEmail: owner.email,
    });
    const record = { ...due.body, DueOn: ZERO, AssignmentUserEmail: '' };
    const cleared = await owner.rest('PUT', `${path}?taskId=${due.body.ID}`, record);
    expect(cleared.body).toMatchObject({
      Name: 'Renamed',
      DueOn: ZERO,
      AssignmentUserEmail: '',
      Revision: 2,
    });
    expect((await owner.rest('GET', `${path}?taskId=${due.body.ID}`)).body).toEqual(cleared.body);
  });

  it('takes back what was read without a change', async () => {
    const { db, owner, base, path, task } = await setUp();
    await owner.rest('POST', base, [{ Name: 'Part', ParentTaskID: task.id }]);
    const details = {
      ...{ Priority: 4, Tags: ['Yard', 'crane'], DurationMultiplier: 2, DurationInterval: 'day' },
      ...{ Stakeholders: [{ UserID: owner.id }], DueOn: '2031-03-08T09:15:27.402118Z' },
    };
    expect((await owner.rest('PUT', path, details)).status).toBe(200);
    const record = (await owner.rest('GET', path)).body;
    expect(record).toMatchObject({
      ...{ Priority: 4, Tags: ['crane', 'Yard'], DurationMultiplier: 2, DurationInterval: 'Day' },
      Stakeholders: [{ UserID: owner.id, UserEmail: owner.email, UserName: expect.any(String) }],
      SubTasks: [{ ID: expect.any(String), Name: 'Part', Result: '' }],
    });
    const events = () => db.prisma.event.count({ where: { subjectId: task.id } });
    const before = await events();
    expect((await owner.rest('PUT', path, record)).body).toEqual(record);
    expect([await events(), (await owner.rest('GET', path)).body]).toEqual([before, record]);
  });

  it('removes a duration by a multiplier of zero, and refuses half of one', async () => {
    const { owner, path } = await setUp();
    await owner.rest('PUT', path, { DurationMultiplier: 3, DurationInterval: 'Hour' });
    const messageOf = async (body: object) => (await owner.rest('PUT', path, body)).body.message;
    expect(await messageOf({ DurationMultiplier: 3 })).toBe('DurationMultiplier 3: needs DurationInterval.');
    expect(await messageOf({ DurationInterval: 'Hour' })).toBe(
      'DurationInterval "Hour": needs DurationMultiplier.',
    );
    expect(await messageOf({ DurationMultiplier: 3, DurationInterval: 'Year' })).toBe(
      'DurationInterval "Year": must be one of Minute, Hour, Day, Week.',
    );
    expect(await messageOf({ DurationMultiplier: 20_000, DurationInterval: 'Day' })).toMatch(
      /^DurationMultiplier 20000: /,
    );
    expect(await messageOf({ Priority: 10 })).toMatch(/^Priority 10: /);
    const { body } = await owner.rest('PUT', path, { DurationMultiplier: 0, DurationInterval: '' });
    expect([body.DurationMultiplier, body.DurationInterval]).toEqual([0, '']);
  });

  it('refuses a stakeholder who does not see the task', async () => {
    const { owner, stranger, path } = await setUp();
    const Stakeholders = [{ UserID: owner.id }, { UserID: stranger.id }];
    const { status, body } = await owner.rest('PUT', path, { Stakeholders });
    expect([status, body.message]).toEqual([404, 'Stakeholders.1: Member who sees the task not found.']);
  });

  it('keeps a parent that is invisible to the caller', async () => {
    const { db, owner, organization, project, base, task } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const [child] = (
      await owner.rest('POST', base, [
        { Name: 'Below', ParentTaskID: task.id, AssignmentUserEmail: member.email },
      ])
    ).body;
    await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
    await joinProject(db, project, member, 'EDITOR');
    const record = (await member.rest('GET', `${base}/${child.ID}`)).body;
    expect([record.ParentTaskID, record.Name]).toEqual(['', 'Below']);
    expect((await member.rest('PUT', `${base}/${child.ID}`, { ...record, Name: 'Kept' })).status).toBe(200);
    const updated = (await owner.rest('GET', `${base}/${child.ID}`)).body;
    expect([updated.ParentTaskID, updated.Name]).toEqual([task.id, 'Kept']);
  });

  it('answers 400, 404 and 409', async () => {
    const { owner, base, path, task } = await setUp();
    for (const body of [
      { Name: '' },
      { Name: 'x'.repeat(256) },
      { DueOn: 'soon' },
      { AssignmentUserEmail: 'x' },
    ])
      expect((await owner.rest('PUT', path, body)).status).toBe(400);
    expect((await owner.rest('PUT', path, { ParentTaskID: task.id })).status).toBe(409);
    for (const id of ['nothing', newId('Task'), newId('Document')]) {
      expect((await owner.rest('GET', `${base}/${id}`)).status).toBe(404);
      expect((await owner.rest('PUT', `${base}/${id}`, { Name: 'x' })).status).toBe(404);
    }
    await owner.rest('POST', `${path}/actions/complete`);
    expect((await owner.rest('PUT', path, { AssignmentUserEmail: '' })).status).toBe(409);
  });
});

describe('POST tasks/{taskId}/actions', () => {
  it('assigns, and unassigns with an empty address', async () => {
    const { db, owner, organization, path } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const assign = (AssignmentUserEmail: unknown) =>
      owner.rest('POST', `${path}/actions/assign`, { AssignmentUserEmail });
    const user = await db.prisma.user.findUniqueOrThrow({ where: { id: member.id } });
    expect((await assign(member.email)).body).toMatchObject({
      AssignmentUserEmail: member.email,
      AssignmentUserName: user.name,
    });
    expect((await assign('')).body).toMatchObject({ AssignmentUserEmail: '', AssignmentUserName: '' });
    for (const invalidEmail of ['nobody', undefined, null, 7, [member.email]])
      expect((await assign(invalidEmail)).status).toBe(400);
  });

  it('completes once, with or without a body; a completed task cannot be assigned', async () => {
    const { owner, base, path } = await setUp();
    const completion = await owner.rest('POST', `${path}/actions/complete`);
    expect([completion.status, completion.body]).toMatchObject([
      200,
      {
        Result: 'Completed',
        CompletedOn: expect.stringMatching(/^20/),
        CompletedByUserEmail: owner.email,
        Revision: 1,
      },
    ]);
    expect((await owner.rest('POST', `${path}/actions/complete`)).status).toBe(409);
    const assignedAfter = await owner.rest('POST', `${path}/actions/assign`, {
      AssignmentUserEmail: owner.email,
    });
    expect([assignedAfter.status, typeof assignedAfter.body.message]).toEqual([409, 'string']);
    const [created] = (await owner.rest('POST', base, [{ Name: 'x' }])).body;
    const completed = await owner.rest('POST', `${base}/${created.ID}/actions/complete`, {
      result: 'All fine',
    });
    expect(completed.body.Result).toBe('All fine');
  });

  it('denies with the result Denied', async () => {
    const world = await setUp();
    const { owner, path } = world;
    const complete = (Result: unknown) => owner.rest('POST', `${path}/actions/complete`, { Result });
    expect((await complete(7)).status).toBe(400);
    expect((await complete(' denied ')).body).toMatchObject({
      Result: 'Denied',
      CompletedOn: expect.stringMatching(/^20/),
    });
    expect(await names(world, '?deniedOnly=true')).toEqual(['Task']);
    for (const result of ['Denied', 'Completed']) expect((await complete(result)).status).toBe(409);
  });
});

describe('tasks/{taskId}/comments', () => {
  it('are posted, and listed in both orders', async () => {
    const { owner, path, task } = await setUp();
    await owner.rest('PUT', path, { Name: 'Renamed' });
    const { body } = await owner.rest('POST', `${path}/comments`, { comments: ['one', 'two'] });
    expect(body).toMatchObject([
      {
        TaskID: task.id,
        Type: 'Comment',
        TaskRevision: 1,
        DetailJson: '{"Text":"one"}',
        CreatedByUserEmail: owner.email,
        ModifiedOn: ZERO,
      },
      { DetailJson: '{"Text":"two"}' },
    ]);
    expect(body[0].ID).toMatch(/^evt_/);
    const list = async (query = '') => (await owner.rest('GET', `${path}/comments${query}`)).body;
    const [newest, oldest] = [await list(), await list('?sortDescending=False')];
    expect(newest.TaskEvents).toEqual(body.toReversed());
    expect(oldest.TaskEvents).toEqual(body);
    expect((await list(`?cursor=${newest.Cursor}`)).TaskEvents).toEqual([]);
    await owner.rest('POST', `${path}/comments`, { Comments: ['three'] });
    const later = await list(`?sortDescending=false&cursor=${newest.ReverseCursor}`);
    expect(later.TaskEvents).toMatchObject([{ DetailJson: '{"Text":"three"}' }]);
  });

  it('answer 400 without comments, to blank ones and other types, and 404 for an unknown task', async () => {
    const { owner, base, path } = await setUp();
    for (const Comments of [undefined, [' '], [7], 'text'])
      expect((await owner.rest('POST', `${path}/comments`, { Comments })).status).toBe(400);
    const nowhere = `${base}/${newId('Task')}/comments`;
    expect((await owner.rest('POST', nowhere, { Comments: ['x'] })).status).toBe(404);
    expect((await owner.rest('GET', nowhere)).status).toBe(404);
    expect((await owner.rest('GET', `${path}/comments`)).body.TaskEvents).toEqual([]);
  });
});

describe('POST tasks/{taskId}/documents', () => {
  it('links by records or by ids; linking twice changes nothing', async () => {
    const { owner, project, base, document, other, folder } = await setUp();
    const [created] = (await owner.rest('POST', base, [{ Name: 'Empty' }])).body;
    const link = (body: unknown) => owner.rest('POST', `${base}/${created.ID}/documents`, body);
    const [third] = await newDocuments(await owner.context(), project.id, [{ name: 'third' }]);
    const first = await link([{ documentID: document.id }]);
    expect(first.body).toMatchObject([
      {
        ID: document.id,
        DocumentID: document.id,
        TaskID: created.ID,
        NameLower: 'document.txt',
        DocumentFolderID: folder.id,
        DocumentFolderHexColor: '#123456',
        CreatedByUserID: owner.id,
        IsActive: true,
        Revision: 0,
      },
    ]);
    await link({ IDs: [third?.id, other.id] });
    const before = (await owner.rest('GET', `${base}/${created.ID}`)).body;
    expect((await link({ ids: [other.id, document.id] })).status).toBe(200);
    const after = (await owner.rest('GET', `${base}/${created.ID}`)).body;
    expect(after).toEqual(before);
    expect(after.PrimaryDocument.DocumentID).toBe(document.id);
    expect(after.OtherDocuments.map(({ Name }: { Name: string }) => Name)).toEqual(['third', 'other.txt']);
  });

  it('answers 400, 404 and 409, and links none of the batch', async () => {
    const { db, owner, base, path, document } = await setUp();
    const elsewhere = await newWorld();
    const [theirs] = await newDocuments(await elsewhere.owner.context(), elsewhere.project.id, [
      { name: 'x' },
    ]);
    const [created] = (await owner.rest('POST', base, [{ Name: 'Empty' }])).body;
    const link = async (body: unknown) =>
      (await owner.rest('POST', `${base}/${created.ID}/documents`, body)).status;
    for (const invalidBody of [[], {}, { IDs: [] }, [{}], [{ DocumentID: 7 }], { IDs: [7] }])
      expect(await link(invalidBody)).toBe(400);
    for (const id of [theirs?.id, newId('Document'), created.ID])
      expect(await link([{ DocumentID: document.id }, { DocumentID: id }])).toBe(404);
    await db.prisma.document.update({
      where: { id: document.id },
      data: { state: 'RECYCLED', recycledAt: new Date(), purgeAt: new Date() },
    });
    expect(await link([{ DocumentID: document.id }])).toBe(409);
    expect(await db.prisma.taskDocument.count({ where: { taskId: created.ID } })).toBe(0);
    expect((await owner.rest('GET', path)).body.PrimaryDocument.Name).toBe('other.txt');
  });
});
