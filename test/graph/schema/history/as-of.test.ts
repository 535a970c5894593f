import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { purgeDocuments, recycleDocuments } from '../../../../src/domain/documents/document-bin.ts';
import { updateDocument } from '../../../../src/domain/documents/document-change.ts';
import { updateFolder } from '../../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { deleteFolders } from '../../../../src/domain/folders/folder-delete.ts';
import { DomainError } from '../../../../src/domain/kernel/errors.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { staleStates } from '../../../support/history/stale-states.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld } from '../../../support/world.ts';
import { COMMANDS, type Target } from './commands.ts';
import { DOCUMENT, lastSequence, PROJECT } from './world.ts';

const AS_OF = `query ($id: ID!, $asOf: AsOf) { project(id: $id, asOf: $asOf) { ${PROJECT} } } ${DOCUMENT}`;

const codes = ({ errors = [] }: { errors?: { extensions: { code: string } }[] }) =>
  errors.map(({ extensions }) => extensions.code);

/** A project with two folders and a document, and its past. */
async function setUp() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const projectId = world.project.id;
  const [outer, gone] = await createFolders(ctx, {
    projectId,
    folders: [{ name: 'Outer' }, { name: 'Gone' }],
  });
  const [document] = await newDocuments(ctx, projectId, [{ name: 'first.txt', folderId: outer?.id }]);
  const ids = { outer: outer?.id as string, gone: gone?.id as string, document: document?.id as string };
  const last = () => lastSequence(world.db, world.organization.id);
  return { ...world, ctx, ids, last, before: await last() };
}

/** Runs a command, which may be refused. */
async function run(target: Target, name: string, n: number): Promise<void> {
  try {
    await COMMANDS[name]?.(target, n);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

describe('a project as it was', () => {
  it('is at any event what it was then, after any commands', async () => {
    const command = fc.tuple(fc.constantFrom(...Object.keys(COMMANDS)), fc.nat(99));
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 16, maxLength: 16 }), async (commands) => {
        const { db, owner, organization, project, ctx, ids, last } = await setUp();
        const members = [];
        for (let n = 0; n < 2; n++) {
          const person = await newMember(db, organization.id, 'MEMBER');
          const { id } = await db.prisma.membership.findFirstOrThrow({ where: { userId: person.id } });
          members.push({ id, email: person.email });
        }
        const items = { folders: [ids.outer, ids.gone], documents: [ids.document], fields: [], members };
        const target: Target = { ctx, organizationId: organization.id, projectId: project.id, items };
        const snapshots = new Map<number, unknown>();
        const take = async () =>
          snapshots.set(await last(), (await owner.graph(AS_OF, { id: project.id })).data);
        await take();
        for (const [name, n] of commands) {
          await run(target, name, n);
          await take();
        }
        for (const [sequence, data] of snapshots) {
          const then = await owner.graph(AS_OF, { id: project.id, asOf: { sequence } });
          expect(then.errors).toBeUndefined();
          expect(then.data).toEqual(data);
        }
        expect(await staleStates(db, organization.id)).toEqual([]);
      }),
      { numRuns: 2 },
    );
  });

  it('is found by time as by event, and for nested items alike', async () => {
    const { db, owner, project, ctx, ids, before } = await setUp();
    const time = (await db.prisma.event.findFirstOrThrow({ where: { subjectId: ids.document } })).createdAt;
    await new Promise((resolve) => setTimeout(resolve, 5));
    await updateFolder(ctx, { folderId: ids.outer, name: 'Renamed' });
    const query = `query ($id: ID!, $at: AsOf!) { document(id: $id, asOf: $at) { name folder { name folders { nodes { id } } project { name } } } }`;
    const bySequence = await owner.graph(query, { id: ids.document, at: { sequence: before } });
    expect(bySequence.data.document).toEqual({
      name: 'first.txt',
      folder: { name: 'Outer', folders: { nodes: [] }, project: { name: project.name } },
    });
    expect(await owner.graph(query, { id: ids.document, at: { time: time.toISOString() } })).toEqual(
      bySequence,
    );
  });

  it('stands beside what it is in one request', async () => {
    const { owner, project, ctx, before } = await setUp();
    await updateProject(ctx, { projectId: project.id, name: 'New' });
    const { data } = await owner.graph(
      `query ($id: ID!, $at: AsOf) { now: project(id: $id) { name version } before: project(id: $id, asOf: $at) { name version } }`,
      { id: project.id, at: { sequence: before } },
    );
    expect(data).toEqual({ now: { name: 'New', version: 2 }, before: { name: 'Quay', version: 1 } });
  });

  it('refuses what is not recorded, by field, and moments that are none', async () => {
    const { owner, project, db, organization, before } = await setUp();
    const read = (asOf: object, fields = 'name') =>
      owner.graph(`query ($id: ID!, $asOf: AsOf) { project(id: $id, asOf: $asOf) { ${fields} } }`, {
        id: project.id,
        asOf,
      });
    expect(codes(await read({ sequence: before }, 'tasks { nodes { id } }'))).toEqual([
      'HISTORY_UNAVAILABLE',
    ]);
    expect(codes(await read({ sequence: before }, 'viewerRole'))).toEqual(['HISTORY_UNAVAILABLE']);
    expect(codes(await read({ sequence: before + 99 }))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await read({ sequence: -1 }))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await read({ time: '2999-01-01T00:00:00Z' }))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await read({ sequence: 1 }))).toEqual(['NOT_FOUND']);
    expect(codes(await read({ sequence: 1, time: '2026-01-01T00:00:00Z' }))).toEqual(['BAD_USER_INPUT']);
    await db.prisma.eventHead.update({
      where: { organizationId: organization.id },
      data: { statesSince: before },
    });
    expect(codes(await read({ sequence: before - 1 }))).toEqual(['HISTORY_UNAVAILABLE']);
  });
});

describe('the past', () => {
  const NAME = (type: string) => `query ($id: ID!, $at: AsOf) { ${type}(id: $id, asOf: $at) { name } }`;

  it('is for those who see the item today', async () => {
    const { db, owner, stranger, organization, project, ctx, ids, before } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const read = (person: typeof owner, at = before) =>
      person.graph(NAME('document'), { id: ids.document, at: { sequence: at } });
    expect((await read(member)).data.document.name).toBe('first.txt');
    expect(codes(await read(stranger))).toEqual(['NOT_FOUND']);
    await updateProject(ctx, { projectId: project.id, access: 'RESTRICTED' });
    expect(codes(await read(member))).toEqual(['NOT_FOUND']);
    expect(codes(await read(member, 9_999))).toEqual(['NOT_FOUND']);
    await joinProject(db, project, member, 'EDITOR');
    expect(codes(await read(member))).toEqual(['NOT_FOUND']);
    await updateDocument(ctx, { documentId: ids.document, assigneeEmails: [member.email] });
    expect((await read(member)).data.document.name).toBe('first.txt');
    const { data } = await member.graph(
      `query ($id: ID!, $at: AsOf) { project(id: $id, asOf: $at) {
      documents { nodes { name } } folders { nodes { name } } } }`,
      { id: project.id, at: { sequence: before } },
    );
    expect(data.project).toEqual({ documents: { nodes: [{ name: 'first.txt' }] }, folders: { nodes: [] } });
  });

  it('of what is gone is for admins of the project', async () => {
    const { db, owner, organization, project, ctx, ids, before } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    await deleteFolders(ctx, { projectId: project.id, folderIds: [ids.gone] });
    const read = (person: typeof owner) =>
      person.graph(NAME('folder'), { id: ids.gone, at: { sequence: before } });
    expect((await read(owner)).data.folder.name).toBe('Gone');
    expect(codes(await read(member))).toEqual(['NOT_FOUND']);
  });

  it('of a purged document is gone with it, for everybody', async () => {
    const { db, owner, project, ctx, ids, before, organization } = await setUp();
    await recycleDocuments(ctx, { documentIds: [ids.document] });
    await purgeDocuments(ctx, { documentIds: [ids.document] });
    expect(
      codes(await owner.graph(NAME('document'), { id: ids.document, at: { sequence: before } })),
    ).toEqual(['NOT_FOUND']);
    const { data } = await owner.graph(AS_OF, { id: project.id, asOf: { sequence: before } });
    expect(data.project.documents).toEqual({ totalCount: 0, nodes: [] });
    const states = await db.prisma.state.findMany({
      where: { organizationId: organization.id, subjectId: ids.document },
    });
    expect(states.map(({ body, salt }) => ({ body, salt }))).toEqual(
      states.map(() => ({ body: null, salt: null })),
    );
  });
});
