import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { recycleDocuments } from '../../../../src/domain/documents/document-bin.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { listen } from '../../../../src/http/listen.ts';
import { createApp } from '../../../../src/http/server.ts';
import { textPdf } from '../../../files/content/pdf-source.ts';
import { testDatabase } from '../../../support/database.ts';
import { dropJobs, runJobs } from '../../../support/jobs.ts';
import { type Frame, type Reader, subscribe } from '../../../support/sse.ts';
import { newDocuments, testStorage } from '../../../support/storage.ts';
import { config, newMember, newWorld, type Person } from '../../../support/world.ts';

const FOLLOW = `subscription ($org: ID!, $ids: [ID!]!) { documentTextChanged(organizationId: $org, documentIds: $ids) {
  id textStatus textError currentRevision { number textAttempts } } }`;

let url: string;
let close: () => Promise<void>;
const open: Reader[] = [];

beforeAll(async () => {
  await dropJobs();
  const db = await testDatabase();
  const parts = { config, db, storage: await testStorage(db), log: pino({ level: 'silent' }) };
  const server = await listen(createApp(parts), { port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${server.port}`;
  close = server.close;
});

afterEach(() => {
  for (const reader of open.splice(0)) reader.cut();
});
afterAll(() => close());

async function follow(person: Person, org: string, ids: string[]): Promise<Reader> {
  const reader = await subscribe(url, person.key, FOLLOW, { org, ids });
  open.push(reader);
  return reader;
}

const changeOf = ({ json }: Frame) => json.data.documentTextChanged;
const codeOf = (frame?: Frame) => frame?.json.errors[0].extensions.code;

/** The states that are received until a document's text is in this state. */
async function until(reader: Reader, textStatus: string): Promise<string[]> {
  const states: string[] = [];
  while (states.at(-1)?.split(' ')[0] !== textStatus) {
    const [frame] = await reader.take(1);
    const { textStatus: status, currentRevision } = changeOf(frame as Frame);
    states.push(`${status} ${currentRevision.number} ${currentRevision.textAttempts}`);
  }
  return states;
}

/** A world with these files, whose texts are not extracted yet. */
async function setUp(...files: { name: string; content?: string | Buffer }[]) {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const documents = await newDocuments(ctx, world.project.id, files);
  return { ...world, ctx, org: world.organization.id, ids: documents.map(({ id }) => id) };
}

describe('documentTextChanged', () => {
  it('sends the state of each document, and then each change', async () => {
    const { owner, org, ids, ctx, project } = await setUp(
      { name: 'a.pdf', content: textPdf([['Zephyr']]) },
      { name: 'b.bin', content: Buffer.from([0, 1, 2]) },
    );
    const reader = await follow(owner, org, ids);
    const first = (await reader.take(2)).map(changeOf);
    expect(first.map(({ id }) => id)).toEqual(ids);
    expect(first[0]).toMatchObject({
      textStatus: 'PENDING',
      textError: null,
      currentRevision: { number: 1 },
    });
    await runJobs();
    const last = new Map<string, string>();
    while ([...last.values()].join() !== 'READY,NONE' && [...last.values()].join() !== 'NONE,READY') {
      const { id, textStatus } = changeOf((await reader.take(1))[0] as Frame);
      last.delete(id);
      last.set(id, textStatus);
      if (textStatus === 'PENDING') last.delete(id);
    }
    expect([last.get(ids[0] as string), last.get(ids[1] as string)]).toEqual(['READY', 'NONE']);
    const [a] = ids as [string];
    await newDocuments(ctx, project.id, [{ name: 'a.pdf', content: textPdf([['Later']]), documentId: a }]);
    // The initial state may already include the next change, which is then sent again.
    expect((await until(reader, 'PENDING')).at(-1)).toBe('PENDING 2 0');
    await runJobs();
    expect((await until(reader, 'READY')).at(-1)).toBe('READY 2 1');
  });

  it('sends a failed attempt with its error, and the next attempt', async () => {
    const { db, owner, org, ids } = await setUp({ name: 'a.pdf', content: '%PDF-1.7\nbroken' });
    const reader = await follow(owner, org, ids);
    expect(await until(reader, 'PENDING')).toEqual(['PENDING 1 0']);
    await runJobs();
    await expect
      .poll(async () => changeOf((await reader.take(1))[0] as Frame).textError, { interval: 1 })
      .toContain('It is broken');
    await db.prisma.blob.updateMany({
      where: { organizationId: org },
      data: { textNextAt: new Date(0), textAttempts: 3 },
    });
    await runJobs();
    expect((await until(reader, 'FAILED')).at(-1)).toBe('FAILED 1 4');
  });

  it('is refused to strangers, for documents of another organization, and for too many documents', async () => {
    const { owner, stranger, org, ids } = await setUp({ name: 'a.txt' });
    const { organization, owner: other } = await newWorld();
    const [byStranger, foreign, mixed, many, none] = [
      await follow(stranger, org, ids),
      await follow(other, organization.id, ids),
      await follow(owner, org, [...ids, 'doc_none']),
      await follow(
        owner,
        org,
        Array.from({ length: 101 }, (_, index) => `doc_${index}`),
      ),
      await follow(stranger, org, []),
    ];
    const codes = [];
    for (const reader of [byStranger, foreign, mixed, many, none]) codes.push(codeOf(await reader.next()));
    expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'BAD_USER_INPUT', 'BAD_USER_INPUT']);
  });

  it('sends no document that has become invisible, and ends when all are', async () => {
    const { db, ctx, project, org, ids: first } = await setUp({ name: 'a.txt' });
    const member = await newMember(db, org, 'MEMBER');
    const [hall] = await createProjects(ctx, {
      organizationId: org,
      projects: [{ name: 'Hall', access: 'OPEN' }],
    });
    const [second] = await newDocuments(ctx, hall?.id as string, [{ name: 'b.txt' }]);
    const ids = [...first, second?.id as string];
    const reader = await follow(member, org, ids);
    await reader.take(2);
    const close = (id: string | undefined) =>
      db.prisma.project.update({ where: { id }, data: { access: 'RESTRICTED' } });
    await close(project.id);
    await runJobs();
    const receivedIds = new Set<string>();
    let state = '';
    while (state !== 'READY') {
      const { id, textStatus } = changeOf((await reader.take(1))[0] as Frame);
      receivedIds.add(id);
      state = textStatus;
    }
    expect([...receivedIds]).toEqual([ids[1]]);
    await close(hall?.id);
    let [last] = await reader.take(1);
    // A result reads the text when it is built, so that it may show a state that the next one shows again.
    while (last && !last.json.errors) {
      expect(changeOf(last)).toMatchObject({ id: ids[1], textStatus: 'READY' });
      [last] = await reader.take(1);
    }
    expect([codeOf(last), (await reader.take(1))[0]?.event]).toEqual(['NOT_FOUND', 'complete']);
  });

  it('ends when its credential is revoked', async () => {
    const { db, owner, ctx, org, ids } = await setUp({ name: 'a.txt' });
    const reader = await follow(owner, org, ids);
    await reader.take(1);
    await recycleDocuments(ctx, { documentIds: ids });
    await db.prisma.apiKey.updateMany({ where: { userId: owner.id }, data: { revokedAt: new Date() } });
    const [error, complete] = await reader.take(2);
    expect([codeOf(error), complete?.event]).toEqual(['UNAUTHENTICATED', 'complete']);
    expect(await reader.next()).toBeUndefined();
  });
});
