import { describe, expect, it } from 'vitest';
import { createFields } from '../../../src/domain/fields/field-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { checkAnswer } from '../../support/description.ts';
import { appOn } from '../../support/oauth.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../support/world.ts';

const AT_ONCE = 20;

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const app = await appOn(db);
  const context = await owner.context();
  const base = `/organizations/${organization.id}/projects/${project.id}`;
  const send = async (
    method: string,
    path: string,
    { body, who = owner, ...headers }: { body?: unknown; who?: Person; [header: string]: unknown } = {},
  ) => {
    const answer = await app.request(`/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${who.key}`, ...(headers as Record<string, string>) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
    const read = type === 'application/json' ? JSON.parse(text) : text;
    checkAnswer(method, path, { status: answer.status, type, body: read });
    return { status: answer.status, headers: answer.headers, body: read };
  };
  const tagOf = async (path: string) => (await send('GET', path)).headers.get('etag') as string;
  const [task] = await createTasks(context, { projectId: project.id, tasks: [{ name: 'T' }] });
  return {
    ...world,
    context,
    base,
    send,
    tagOf,
    task: `${base}/tasks/${task?.id}`,
    taskId: task?.id as string,
  };
}

describe('a read', () => {
  it('has a strong entity tag with the version of one object, and a weak one for a list', async () => {
    const { send, base, task, taskId } = await setUp();
    expect((await send('GET', task)).headers.get('etag')).toMatch(
      new RegExp(`^"${taskId}\\.1\\.[\\w-]{16}"$`),
    );
    expect((await send('GET', `${base}/tasks`)).headers.get('etag')).toMatch(/^W\/"[\w-]{16}"$/);
  });

  it('answers 304 without a body while nothing changed, and 200 after a change', async () => {
    const { send, tagOf, base, task } = await setUp();
    for (const path of [task, `${base}/tasks`]) {
      const tag = await tagOf(path);
      const notModified = await send('GET', path, { 'if-none-match': `"other", ${tag}` });
      expect([notModified.status, notModified.body, notModified.headers.get('etag')]).toEqual([304, '', tag]);
      await send('PUT', task, { body: { Name: `renamed ${tag}` } });
      expect((await send('GET', path, { 'if-none-match': tag })).status).toBe(200);
    }
  });

  it('answers 304 to the weak form of its tag, which nginx sends after compressing, and to *', async () => {
    const { send, tagOf, task } = await setUp();
    const tag = await tagOf(task);
    for (const each of [`W/${tag}`, `"a",W/${tag} , W/"b"`, `W/${tag.replace(/"$/, '-gzip"')}`, '*'])
      expect((await send('GET', task, { 'if-none-match': each })).status).toBe(304);
    await send('PUT', task, { body: { Name: 'renamed' } });
    expect((await send('GET', task, { 'if-none-match': `W/${tag}` })).status).toBe(200);
  });

  it('does not answer 304 if only a related object changed', async () => {
    const { db, owner, send, tagOf, task } = await setUp();
    await send('POST', `${task}/actions/assign`, { body: { AssignmentUserEmail: owner.email } });
    const tag = await tagOf(task);
    await db.prisma.user.update({ where: { id: owner.id }, data: { name: 'Renamed' } });
    expect((await send('GET', task, { 'if-none-match': tag })).status).toBe(200);
  });

  it('discloses nothing to a stranger, with any tag', async () => {
    const { stranger, send, tagOf, task } = await setUp();
    const tag = await tagOf(task);
    for (const each of [tag, '*'])
      expect((await send('GET', task, { who: stranger, 'if-none-match': each })).status).toBe(404);
    for (const each of [tag, tag.replace('.1.', '.9.')]) {
      const { status } = await send('PUT', task, { who: stranger, body: { Name: 'x' }, 'if-match': each });
      expect(status).toBe(404);
    }
  });
});

describe('a change with If-Match', () => {
  it('succeeds for the current version, and answers 412 without a change for a stale one', async () => {
    const { db, send, tagOf, task, taskId } = await setUp();
    const tag = await tagOf(task);
    expect((await send('PUT', task, { body: { Name: 'first' }, 'if-match': tag })).status).toBe(200);
    const stale = await send('PUT', task, { body: { Name: 'second' }, 'if-match': tag });
    expect([stale.status, stale.body.message]).toEqual([
      412,
      expect.stringContaining('changed in the meantime'),
    ]);
    expect(await db.prisma.task.findUnique({ where: { id: taskId } })).toMatchObject({
      name: 'first',
      version: 2,
    });
  });

  it('works for actions on an object as well', async () => {
    const { send, tagOf, task } = await setUp();
    const tag = await tagOf(task);
    await send('PUT', task, { body: { Name: 'changed' } });
    expect((await send('POST', `${task}/actions/complete`, { 'if-match': tag })).status).toBe(412);
    expect((await send('POST', `${task}/actions/complete`, { 'if-match': await tagOf(task) })).status).toBe(
      200,
    );
  });

  it('works for every type of object that has a path', async () => {
    const { send, tagOf, base, context, project } = await setUp();
    const projectId = project.id;
    const [folder] = await createFolders(context, { projectId, folders: [{ name: 'F' }] });
    const [field] = await createFields(context, { projectId, fields: [{ name: 'A', type: 'TEXT' }] });
    const [document] = await newDocuments(context, projectId, [{ name: 'd.txt' }]);
    const objects = [
      [base, base, { Name: 'P' }],
      [`${base}/documentFolders/${folder?.id}`, `${base}/documentFolders/${folder?.id}`, { Name: 'N' }],
      [`${base}/fields/${field?.id}`, `${base}/fields/${field?.id}`, { Name: 'N' }],
      [
        `${base}/documentContentPackages/${document?.id}`,
        `${base}/documents/${document?.id}`,
        { Name: 'n.txt' },
      ],
    ] as const;
    for (const [read, path, body] of objects) {
      const tag = await tagOf(read);
      const statuses = [];
      for (const ifMatch of [tag, tag, `${tag}, ${await tagOf(read)}`])
        statuses.push((await send('PUT', path, { body, 'if-match': ifMatch })).status);
      expect([path, statuses]).toEqual([path, [200, 412, 412]]);
      const both = `${tag}, ${await tagOf(read)}`;
      expect((await send('PUT', path, { body, 'if-match': both })).status).toBe(200);
    }
  });

  it('works for a signing session, which its record has', async () => {
    const { send, base, context, project } = await setUp();
    const [document] = await newDocuments(context, project.id, [{ name: 'd.txt' }]);
    const path = `${base}/documents/${document?.id}/signatureSessionPackages`;
    const { body, headers } = await send('GET', path);
    const tag = headers.get('etag') as string;
    const change = [
      { ...(Array.isArray(body) ? body[0] : body), Recipients: [{ Email: 'a@example.test', FullName: 'A' }] },
    ];
    const answers = [
      await send('PUT', path, { body: change, 'if-match': tag }),
      await send('PUT', path, { body: change, 'if-match': tag }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 412]);
  });

  it('works for a signature form and its fields', async () => {
    const { send, tagOf, base, context, project } = await setUp();
    const [document] = await newDocuments(context, project.id, [{ name: 'd.txt' }]);
    const path = `${base}/documents/${document?.id}/signatureForms`;
    const { body: signatureForm } = await send('GET', path);
    const form = `${path}/${signatureForm.ID}`;
    const { body: fields } = await send('POST', `${form}/fields`, {
      body: [{ Type: 'Signature', PageIndex: 0, X: 1, Y: 2 }],
    });
    const field = `${form}/fields/${fields[0].ID}`;
    const tag = await tagOf(form);
    expect((await send('PUT', field, { body: { X: 5 }, 'if-match': tag })).status).toBe(200);
    expect((await send('PUT', field, { body: { X: 6 }, 'if-match': tag })).status).toBe(412);
    expect((await send('PUT', form, { body: { LastViewedPageIndex: 1 }, 'if-match': tag })).status).toBe(412);
    expect((await send('PUT', form, { body: {}, 'if-match': await tagOf(form) })).status).toBe(200);
  });

  it.each([
    ['a weak one of a list', () => 'W/"hU1c-Hw2nX_b0a9Q"'],
    ['an older version in weak form', (tag: string) => `W/${tag.replace('.1.', '.0.')}`],
    ['one of another object', (tag: string) => tag.replace(/tsk_.{26}/, 'tsk_01k9czhv7gqyd0yj0yk8wz1hm6')],
    ['one of another server', () => '"abc"'],
    ['one without quotation marks', () => 'abc'],
  ])('answers 412 to a tag that cannot be the current one: %s', async (_, change) => {
    const { send, tagOf, task } = await setUp();
    const { status } = await send('PUT', task, {
      body: { Name: 'x' },
      'if-match': change(await tagOf(task)),
    });
    expect(status).toBe(412);
  });

  it.each([
    ['as nginx sends it after compressing', (tag: string) => `W/${tag}`],
    ['of our own compressed response', (tag: string) => `W/${tag.replace(/"$/, '-gzip"')}`],
    ['in a list', (tag: string) => `"other", W/${tag}`],
    ['in a list without blanks', (tag: string) => `W/"a",W/${tag},"b"`],
  ])('succeeds with the weak form of the current tag, %s, and answers 412 to it once it is stale', async (_, form) => {
    const { send, tagOf, task } = await setUp();
    const tag = form(await tagOf(task));
    const change = async () => (await send('PUT', task, { body: { Name: 'x' }, 'if-match': tag })).status;
    expect([await change(), await change()]).toEqual([200, 412]);
  });

  it('succeeds for any version with *, and without the header', async () => {
    const { send, task } = await setUp();
    expect((await send('PUT', task, { body: { Name: 'x' }, 'if-match': '*' })).status).toBe(200);
    expect((await send('PUT', task, { body: { Name: 'y' } })).status).toBe(200);
  });

  it('answers 412 if the object has no version', async () => {
    const { db, send, tagOf, base, task } = await setUp();
    const before = await db.prisma.task.count();
    const answer = await send('POST', `${base}/tasks`, {
      body: [{ Name: 'x' }],
      'if-match': await tagOf(base),
    });
    expect([answer.status, await db.prisma.task.count()]).toEqual([412, before]);
    expect((await send('POST', `${task}/comments`, { body: { Comments: ['x'] } })).status).toBe(200);
  });

  it('answers FORBIDDEN to a guest before it checks the version', async () => {
    const { db, organization, project, send, tagOf, task } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, guest, 'VIEWER');
    const stale = (await tagOf(task)).replace('.1.', '.9.');
    expect((await send('PUT', task, { who: guest, body: { Name: 'x' }, 'if-match': stale })).status).toBe(
      403,
    );
  });
});

describe('expectedVersion', () => {
  it('is refused with the current version in the error if it is stale', async () => {
    const { owner, taskId } = await setUp();
    const mutation = 'mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { task { version } } }';
    const answer = await owner.graph(mutation, { input: { taskId, name: 'x', expectedVersion: 7 } });
    expect(answer.errors?.[0]?.extensions).toEqual({ code: 'CONFLICT', at: 'expectedVersion', version: 1 });
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('twenty concurrent changes on PostgreSQL', () => {
  it('succeed once with If-Match, for every type of object', async () => {
    const { send, tagOf, base, task, context, project } = await setUp();
    const projectId = project.id;
    const [folder] = await createFolders(context, { projectId, folders: [{ name: 'F' }] });
    const [field] = await createFields(context, { projectId, fields: [{ name: 'A', type: 'TEXT' }] });
    const [document] = await newDocuments(context, projectId, [{ name: 'd.txt' }]);
    for (const [read, path] of [
      [task, task],
      [base, base],
      [`${base}/documentFolders/${folder?.id}`],
      [`${base}/fields/${field?.id}`],
      [`${base}/documentContentPackages/${document?.id}`, `${base}/documents/${document?.id}`],
    ] as const) {
      const tag = await tagOf(read);
      const changes = Array.from({ length: AT_ONCE }, (_, index) =>
        send('PUT', path ?? read, { body: { Name: `n${index}` }, 'if-match': tag }),
      );
      const statuses = (await Promise.all(changes)).map(({ status }) => status).sort();
      expect([read, statuses]).toEqual([read, [200, ...Array(AT_ONCE - 1).fill(412)]]);
    }
  });

  it('all succeed without If-Match, and none overwrites fields that another one changed', async () => {
    const { owner, db, project, context } = await setUp();
    const [folder] = await createFolders(context, { projectId: project.id, folders: [{ name: 'F' }] });
    const folderId = folder?.id as string;
    const rename =
      'mutation ($id: ID!, $name: String) { updateFolder(input: { folderId: $id, name: $name }) { folder { id } } }';
    const paint =
      'mutation ($id: ID!, $color: String) { updateFolder(input: { folderId: $id, hexColor: $color }) { folder { id } } }';
    for (let round = 0; round < 5; round++) {
      const name = `round ${round}`;
      const color = `#00000${round}`;
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          index % 2
            ? owner.graph(rename, { id: folderId, name })
            : owner.graph(paint, { id: folderId, color }),
        ),
      );
      const storedFolder = await db.prisma.folder.findUnique({ where: { id: folderId } });
      expect(storedFolder).toMatchObject({ name, hexColor: color, version: 1 + AT_ONCE * (round + 1) });
    }
    const { id } = project;
    const name =
      'mutation ($id: ID!) { updateProject(input: { projectId: $id, name: "new" }) { project { id } } }';
    const access =
      'mutation ($id: ID!) { updateProject(input: { projectId: $id, access: RESTRICTED }) { project { id } } }';
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => owner.graph(index % 2 ? name : access, { id })),
    );
    expect(await db.prisma.project.findUnique({ where: { id } })).toMatchObject({
      name: 'new',
      access: 'RESTRICTED',
    });
  });
});
