import { describe, expect, it } from 'vitest';
import { createComments, createTaskComments } from '../../../../src/domain/comments/comment.ts';
import { updateDocument } from '../../../../src/domain/documents/document-change.ts';
import { verifyChains } from '../../../../src/domain/events/audit-verify.ts';
import { deleteUnusedWords } from '../../../../src/domain/search/search-vocabulary.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { newId } from '../../../../src/lib/id.ts';
import { counted } from '../../../support/database.ts';
import { newOAuthWorld } from '../../../support/oauth.ts';
import { newDocuments } from '../../../support/storage.ts';
import { tablesWith } from '../../../support/stored-text.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const REDACT = `mutation ($input: RedactEventsInput!) { redactEvents(input: $input) { events {
  id kind text changes { member } redaction { id kind createdBy { id } changes { member after } } } } }`;

const COMMENTS = `query ($id: ID!) { project(id: $id) { comments(first: 50, direction: ASC) {
  nodes { id text isRedacted taskRevision } } } }`;

const SEARCH = `query ($id: ID!, $text: String!) { project(id: $id) { search(query: $text, first: 5) { totalCount } } }`;

type World = Awaited<ReturnType<typeof newWorld>>;

/** A document and a task with two comments each. */
async function setUp(made: Promise<World> = newWorld()) {
  const world = await made;
  const { owner, project, organization, db } = world;
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
  const [task] = await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Check' }] });
  const comments = [
    ...(await createComments(ctx, {
      documentId: document?.id as string,
      texts: ['marigold ann@people.test', 'tulip'],
    })),
    ...(await createTaskComments(ctx, { taskId: task?.id as string, texts: ['zinnia', 'aster'] })),
  ].map(({ id }) => id);
  const redact = (person: Person, eventIds: string[], more: object = {}) =>
    person.graph(REDACT, {
      input: { organizationId: organization.id, eventIds, reason: 'Asked for', ...more },
    });
  const texts = async () =>
    (await owner.graph(COMMENTS, { id: project.id })).data.project.comments.nodes.map(
      ({ text }: { text: string }) => text,
    );
  const verify = async () => {
    for await (const { redacted, finding } of verifyChains(db, organization.id)) return { redacted, finding };
    return undefined;
  };
  const countMatches = async (text: string) =>
    (await owner.graph(SEARCH, { id: project.id, text })).data.project.search.totalCount;
  return { ...world, document, task, comments, redact, texts, verify, countMatches };
}

const ALL = ['marigold ann@people.test', 'tulip', 'zinnia', 'aster'];

describe('redactEvents', () => {
  it('removes the text of comments, says who did it and why, and the chain is still valid', async () => {
    const { owner, project, comments, redact, verify } = await setUp();
    const { data, errors } = await redact(owner, [comments[2] as string, comments[0] as string]);
    expect(errors).toBeUndefined();
    const [ofTask, ofDocument] = data.redactEvents.events;
    expect(ofDocument).toMatchObject({
      ...{ kind: 'document.commented', text: null, changes: [] },
      redaction: { kind: 'event.redacted', createdBy: { id: owner.id } },
    });
    expect(ofTask.kind).toBe('task.commented');
    expect(ofDocument.redaction.id).not.toBe(ofTask.redaction.id);
    const changes = Object.fromEntries(
      ofDocument.redaction.changes.map(({ member, after }: Record<string, string>) => [
        member,
        JSON.parse(after as string),
      ]),
    );
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    const events = [{ id: ofDocument.id, sequence: expect.any(String), hash }];
    expect(changes).toEqual({ reason: 'Asked for', events });
    const list = (await owner.graph(COMMENTS, { id: project.id })).data.project.comments.nodes;
    expect(list[0]).toMatchObject({ id: comments[0], text: '', isRedacted: true });
    expect(list[1]).toMatchObject({ text: 'tulip', isRedacted: false });
    expect(list[2]).toMatchObject({ text: '', isRedacted: true, taskRevision: null });
    expect(await verify()).toEqual({ redacted: 2, finding: undefined });
  });

  it('leaves the word of a comment in no row of the database, and finds it no more', async () => {
    const { owner, db, document, redact, countMatches } = await setUp();
    const word = `marigold${newId('Event').slice(-8)}`;
    const texts = [`One ${word}`, 'Two violets'];
    const [comment] = await createComments(await owner.context(), {
      documentId: document?.id as string,
      texts,
    });
    expect(await tablesWith(db, word)).toEqual(['events', 'search_entries', 'search_vocabulary']);
    await redact(owner, [comment?.id as string]);
    await deleteUnusedWords(db);
    expect(await tablesWith(db, word)).toEqual([]);
    expect([await countMatches(word), await countMatches('violets')]).toEqual([0, 1]);
  });

  it('leaves comments without a text in REST v1', async () => {
    const { owner, organization, project, document, comments, redact } = await setUp();
    await redact(owner, [comments[0] as string]);
    const path = `/organizations/${organization.id}/projects/${project.id}/documents/${document?.id}/events`;
    const { body } = await owner.rest('GET', path);
    const details = (body.DocumentEvents as { Type: string; DetailJson: string }[])
      .filter(({ Type }) => Type === 'Comment')
      .map(({ DetailJson }) => JSON.parse(DetailJson).Text);
    expect(details.sort()).toEqual(['', 'tulip']);
  });

  it('removes values before and after too', async () => {
    const { owner, db, task, redact, verify } = await setUp();
    const where = { subjectId: task?.id as string, kind: 'task.created' };
    const { id } = await db.prisma.event.findFirstOrThrow({ where });
    const { data } = await redact(owner, [id]);
    expect(data.redactEvents.events).toMatchObject([{ kind: 'task.created', changes: [] }]);
    expect(await verify()).toEqual({ redacted: 1, finding: undefined });
  });

  it('is for owners and admins, in person', async () => {
    const oauth = await newOAuthWorld();
    const application = await oauth.owner.with((await oauth.tokens()).access_token);
    const { db, stranger, organization, comments, redact, texts } = await setUp(Promise.resolve(oauth));
    const [id] = comments as [string];
    const member = await newMember(db, organization.id, 'MEMBER');
    const admin = await newMember(db, organization.id, 'ADMIN');
    const codes = [];
    for (const person of [member, stranger, application])
      codes.push((await redact(person, [id])).errors?.[0]?.extensions.code);
    expect(codes).toEqual(['FORBIDDEN', 'NOT_FOUND', 'FORBIDDEN']);
    expect(await texts()).toEqual(ALL);
    expect((await redact(admin, [id])).errors).toBeUndefined();
  });

  it.each([
    ['that are unknown', ['evt_00000000000000000000000000'], {}, 'NOT_FOUND', 'eventIds.1'],
    ['twice', 'again', {}, 'BAD_USER_INPUT', 'eventIds.1'],
    ['without a reason', [], { reason: '  ' }, 'BAD_USER_INPUT', 'reason'],
  ])('changes nothing for events %s', async (_, more, input, code, at) => {
    const { owner, comments, redact, texts } = await setUp();
    const [first] = comments as [string];
    const ids = [first, ...(more === 'again' ? [first.replace('cmt_', 'evt_')] : (more as string[]))];
    expect((await redact(owner, ids, input)).errors?.[0]?.extensions).toMatchObject({ code, at });
    expect(await texts()).toEqual(ALL);
  });

  it('finds no event of another organization', async () => {
    const { owner, stranger, comments, redact, texts } = await setUp();
    const elsewhere = (await stranger.graph('{ viewer { organizations(first: 1) { nodes { id } } } }')).data
      .viewer.organizations.nodes[0].id;
    const answers = [
      await redact(stranger, [comments[0] as string], { organizationId: elsewhere }),
      await redact(owner, [comments[0] as string], { organizationId: elsewhere }),
    ];
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(await texts()).toEqual(ALL);
  });

  it('is refused for what is redacted, and for redactions', async () => {
    const { owner, comments, redact, verify } = await setUp();
    const [id] = comments as [string];
    const { redaction } = (await redact(owner, [id])).data.redactEvents.events[0];
    const codes = [];
    for (const each of [id, redaction.id])
      codes.push((await redact(owner, [each])).errors?.[0]?.extensions.code);
    expect(codes).toEqual(['CONFLICT', 'CONFLICT']);
    expect((await verify())?.redacted).toBe(1);
  });

  it('is done once by twenty at the same time', async () => {
    const { owner, comments, redact, verify } = await setUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => redact(owner, comments.slice(0, 2))));
    const codes = answers.map(({ errors }) => errors?.[0]?.extensions.code ?? 'done');
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['done', 'CONFLICT']));
    expect(await verify()).toEqual({ redacted: 2, finding: undefined });
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'waits for comments and changes of the document, and never in a circle',
    async () => {
      const { owner, document, redact, verify } = await setUp();
      const ctx = await owner.context();
      const documentId = document?.id as string;
      const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`);
      const comments = await createComments(ctx, { documentId, texts });
      const all = await Promise.allSettled([
        ...comments.map(({ id }) => redact(owner, [id])),
        ...texts.map((text) => createComments(ctx, { documentId, texts: [text] })),
        ...texts.map((name) => updateDocument(ctx, { documentId, name: `${name}.txt` })),
      ]);
      const failures = all.filter((each) => each.status === 'rejected' || 'errors' in each.value);
      expect(failures).toEqual([]);
      expect(await verify()).toEqual({ redacted: 10, finding: undefined });
    },
  );

  it('takes as many statements for twenty events as for two', async () => {
    const { owner, document, redact } = await setUp();
    const texts = Array.from({ length: 22 }, (_, index) => `text ${index}`);
    const ctx = await owner.context();
    const ids = (await createComments(ctx, { documentId: document?.id as string, texts })).map(
      ({ id }) => id,
    );
    const two = await counted(() => redact(owner, ids.slice(0, 2)));
    const twenty = await counted(() => redact(owner, ids.slice(2)));
    expect(twenty.result.errors).toBeUndefined();
    expect(twenty.statements.length).toBe(two.statements.length);
  });
});
