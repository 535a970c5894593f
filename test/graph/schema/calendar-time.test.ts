import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/lib/cursor.ts';
import { newRestWorld } from '../../rest/fixture.ts';

/** Days that no calendar has, and times that no clock or offset has. */
const IMPOSSIBLE = ['2030-02-30T12:00:00Z', '2031-04-31T00:00:00Z', '2031-01-01T24:00:00Z'];

const setUp = async () => {
  const world = await newRestWorld();
  const due = async () =>
    (await world.db.prisma.task.findUniqueOrThrow({ where: { id: world.task.id } })).dueAt;
  return { ...world, due };
};

describe('a time that does not exist', () => {
  it.each([...IMPOSSIBLE, '2031-01-01T00:00:00+25:00'])('%s is refused in a variable', async (dueAt) => {
    const { owner, task, due } = await setUp();
    const change = 'mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { task { dueAt } } }';
    const { errors } = await owner.graph(change, { input: { taskId: task.id, dueAt } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors?.[0]?.message).toContain(`invalid value "${dueAt}" at "input.dueAt"; Expected a time`);
    expect(await due()).toBeNull();
  });

  it.each(IMPOSSIBLE)('%s is refused in a literal, which the error names with its place', async (dueAt) => {
    const { owner, task, due } = await setUp();
    const { errors } = await owner.graph(
      `mutation { updateTask(input: { taskId: "${task.id}", dueAt: "${dueAt}" }) { task { dueAt } } }`,
    );
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' }, locations: [{ line: 1, column: expect.any(Number) }] },
    ]);
    expect(errors?.[0]?.message).toMatch(`"dueAt" got invalid value "${dueAt}"; Expected a time`);
    expect(await due()).toBeNull();
  });

  it.each(IMPOSSIBLE)('%s is refused in a filter', async (dueAfter) => {
    const { owner, project } = await setUp();
    const { errors } = await owner.graph(
      'query ($id: ID!, $filter: TaskFilter) { project(id: $id) { tasks(filter: $filter) { totalCount } } }',
      { id: project.id, filter: { dueAfter } },
    );
    expect(errors?.[0]?.message).toContain(`invalid value "${dueAfter}" at "filter.dueAfter"`);
  });

  it('is refused in a cursor', async () => {
    const { owner, project } = await setUp();
    const list = `query ($id: ID!, $after: String) { project(id: $id) {
      tasks(after: $after, orderBy: { field: CREATED_AT }) { totalCount } } }`;
    const answer = async (time: string) =>
      (await owner.graph(list, { id: project.id, after: encodeCursor([time, 'tsk_1']) })).errors?.[0];
    expect(await answer('2030-02-28T12:00:00.000Z')).toBeUndefined();
    expect(await answer('2030-02-30T12:00:00.000Z')).toMatchObject({
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  it.each([
    '2031-02-30',
    ' 2031-04-31T00:00:00Z',
  ])('%s is compared with no field in a search', async (value) => {
    const { owner, organization } = await setUp();
    const search = `query ($id: ID!, $filter: SearchFilter) { organization(id: $id) {
      search(filter: $filter) { totalCount } } }`;
    const compare = async (operator: string) => {
      const fields = [{ fieldId: 'fld_00000000000000000000000000', operator, value }];
      return (await owner.graph(search, { id: organization.id, filter: { fields } })).errors?.[0]?.message;
    };
    expect(await compare('AT_LEAST')).toBe(
      'filter.fields.0.value: must be a date that exists, such as 2026-01-31',
    );
    expect(await compare('EQUALS')).toBeUndefined();
  });

  it.each([
    ...IMPOSSIBLE,
    '2031-04-31',
    '0000-01-01T00:00:00Z',
  ])('%s is refused over REST, with the name of the member, and nothing is written', async (DueOn) => {
    const { owner, organization, project, task, due, db } = await setUp();
    const path = `/organizations/${organization.id}/projects/${project.id}/tasks`;
    const changed = await owner.rest('PUT', `${path}/${task.id}`, { Name: 'Changed', DueOn });
    expect([changed.status, changed.body.at]).toEqual([400, 'DueOn']);
    expect(changed.body.message).toContain(`DueOn "${DueOn}": must be a time that exists`);
    const created = await owner.rest('POST', path, [{ Name: 'One' }, { Name: 'Two', DueOn }]);
    expect([created.status, created.body.at]).toEqual([400, '1.DueOn']);
    expect(await due()).toBeNull();
    expect(await db.prisma.task.count({ where: { projectId: project.id } })).toBe(1);
  });
});

describe('a time', () => {
  it('is unset over REST by the zero time of any client, and by nothing that only begins like it', async () => {
    const { owner, organization, project, task, due } = await setUp();
    const path = `/organizations/${organization.id}/projects/${project.id}/tasks/${task.id}`;
    for (const zero of ['', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00', '0001-01-01T00:00:00.000+00:00']) {
      await owner.rest('PUT', path, { DueOn: '2031-03-04T09:15:27Z' });
      expect((await owner.rest('PUT', path, { DueOn: zero })).status).toBe(200);
      expect(await due()).toBeNull();
    }
    const key = await owner.rest('POST', '/user/apiKeys', [
      { Name: 'k', ExpiresOn: '0001-01-01T00:00:00never' },
    ]);
    expect([key.status, key.body.at]).toEqual([400, '0.ExpiresOn']);
  });

  it('may be a leap second, which is the first second of the next day', async () => {
    const { owner, task, due } = await setUp();
    const change = 'mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { task { dueAt } } }';
    await owner.graph(change, { input: { taskId: task.id, dueAt: '2031-12-31T23:59:60Z' } });
    expect((await due())?.toISOString()).toBe('2032-01-01T00:00:00.000Z');
  });
});
