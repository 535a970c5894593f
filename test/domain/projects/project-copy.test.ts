import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { updateDocument } from '../../../src/domain/documents/document-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { deleteProjects, restoreProjects } from '../../../src/domain/projects/project-delete.ts';
import { doNext } from '../../../src/jobs/work.ts';
import { counted } from '../../support/database.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newMember, newWorld } from '../../support/world.ts';
import { CONTENT, rowsOf, STRUCTURE } from './copied-rows.ts';
import { addDocuments, copyNext, copyRest, newSource } from './copy-source.ts';

beforeEach(dropJobs);

describe('a project with a source', () => {
  it('has its structure and none of its content, in rows of its own that refer to each other', async () => {
    const { db, project, copy, progress } = await newSource();
    const id = await copy(false);
    const [source, copied] = [await rowsOf(db, project.id), await rowsOf(db, id)];
    for (const name of STRUCTURE) {
      expect(source[name]?.length, name).toBeGreaterThan(0);
      expect(copied[name], name).toEqual(source[name]);
    }
    for (const name of CONTENT) expect(copied[name], name).toEqual([]);
    const items = STRUCTURE.reduce((sum, name) => sum + (source[name]?.length ?? 0), 0);
    expect(await progress(id)).toMatchObject({ state: 'COMPLETED', copied: items, total: items });
    expect(await db.prisma.projectCopyItem.count({ where: { projectId: id } })).toBe(0);
  });

  it('has its documents and tasks if the content is copied as well', async () => {
    const { db, project, copy, stored, owner } = await newSource();
    const id = await copy(true);
    const [source, copied] = [await rowsOf(db, project.id), await rowsOf(db, id)];
    expect(copied).toEqual(source);
    expect(copied.documents).toHaveLength(2);
    expect(copied.documents?.[0]).toMatchObject({
      tags: ['tag'],
      values: ['Colour/0/red'],
      folder: 'Folder',
    });
    expect(copied.tasks?.[1]).toMatchObject({
      ...{ name: 'Part', parent: 'Task', priority: 5, tags: ['Part', 'tag'] },
      ...{ duration_amount: 2, duration_unit: 'DAY' },
    });
    expect(await stored(id)).toMatchObject({
      sourceId: project.id,
      sourceContentCopied: true,
      disabledAt: null,
    });
    const documents = await db.prisma.document.findMany({ where: { projectId: id } });
    expect(documents.every(({ createdById, version }) => createdById === owner.id && version === 1)).toBe(
      true,
    );
  });

  it('has no assignments, shares, links, legal holds, signatures, decisions or bin of it', async () => {
    const { db, copy, document, project } = await newSource();
    await db.prisma.document.update({
      where: { id: document.id },
      data: { legalHold: true, signedAt: new Date() },
    });
    const projectId = await copy(true);
    expect(await db.prisma.folderAssignment.count({ where: { folder: { projectId } } })).toBe(0);
    expect(await db.prisma.documentAssignment.count({ where: { document: { projectId } } })).toBe(0);
    expect(await db.prisma.projectInvitation.count({ where: { projectId } })).toBe(0);
    const tasks = await db.prisma.task.findMany({ where: { projectId } });
    expect(tasks).toHaveLength(2);
    expect(await db.prisma.taskStakeholder.count({ where: { task: { projectId } } })).toBe(0);
    for (const task of tasks)
      expect(task).toMatchObject({ state: 'OPEN', assigneeEmail: null, result: null });
    const forms = await db.prisma.formTemplate.findMany({ where: { projectId } });
    for (const form of forms)
      expect(form).toMatchObject({ state: 'PRIVATE', isPublic: false, linkHash: null });
    const documents = await db.prisma.document.findMany({ where: { projectId } });
    expect(documents).toHaveLength(2);
    for (const each of documents)
      expect(each).toMatchObject({ legalHold: false, signedAt: null, state: 'ACTIVE', revisionNumber: 1 });
    expect(await db.prisma.signatureForm.count({ where: { projectId } })).toBe(0);
    expect(await db.prisma.processRun.count({ where: { projectId } })).toBe(0);
    const links = await db.prisma.folder.findMany({ where: { projectId: { in: [projectId, project.id] } } });
    expect(new Set(links.map(({ linkSealed }) => linkSealed)).size).toBe(links.length);
  });

  it('has an event of each copied object', async () => {
    const { db, copy, organization, project } = await newSource();
    const projectId = await copy(true);
    const events = await db.prisma.event.findMany({
      where: { organizationId: organization.id, projectId },
      orderBy: { sequence: 'asc' },
    });
    const kinds = events.map(({ kind }) => kind);
    expect(kinds[0]).toBe('project.created');
    expect(kinds.at(-1)).toBe('project.copied');
    expect(kinds.filter((kind) => kind === 'document.created')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'folder.created')).toHaveLength(3);
    expect(events.at(-1)?.data).toMatchObject({ after: { sourceId: project.id } });
  });

  it('is not created by a member, nor from a project of another organization', async () => {
    const { db, organization, project, stranger } = await newSource();
    const member = await newMember(db, organization.id, 'MEMBER');
    const projects = [{ name: 'Mine', source: { projectId: project.id } }];
    const asMember = createProjects(await member.context(), { organizationId: organization.id, projects });
    await expect(asMember).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const other = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
    const asStranger = createProjects(await stranger.context(), {
      organizationId: other.organizationId,
      projects: [{ name: 'First' }, ...projects],
    });
    await expect(asStranger).rejects.toMatchObject({ code: 'NOT_FOUND', at: 'projects.1.source.projectId' });
    expect(await db.prisma.project.count({ where: { organizationId: other.organizationId } })).toBe(0);
  });

  it('costs the same number of statements for one document and for a hundred', async () => {
    const source = await newSource();
    const few = await counted(() => source.copy(true));
    await addDocuments(source, 100);
    const many = await counted(() => source.copy(true));
    expect(many.statements.length).toBe(few.statements.length);
  });
});

describe('a project with a large source', () => {
  it('is disabled while a job copies batch by batch, and shows its progress', async () => {
    const source = await newSource();
    const { db, owner, project, copy, progress, stored, ctx } = source;
    await addDocuments(source, 1_100);
    const id = await copy(true);
    expect(await progress(id)).toMatchObject({ state: 'RUNNING', copied: 0 });
    expect((await stored(id)).disabledAt).not.toBeNull();
    await copyNext();
    await copyNext();
    const { data } = await owner.graph(
      `{ project(id: "${id}") { disabled copy { state copied total error } } }`,
    );
    expect(data.project.disabled).toBe(true);
    expect(data.project.copy).toMatchObject({ state: 'RUNNING', error: null });
    expect(data.project.copy.copied).toBeGreaterThan(500);
    expect(data.project.copy.total).toBeGreaterThan(1_100);
    const enabled = updateProject(ctx, { projectId: id, disabled: false });
    await expect(enabled).rejects.toMatchObject({ code: 'CONFLICT', at: 'disabled' });
    const again = {
      organizationId: project.organizationId,
      projects: [{ name: 'x', source: { projectId: id } }],
    };
    await expect(createProjects(ctx, again)).rejects.toMatchObject({
      code: 'CONFLICT',
      at: 'projects.0.source.projectId',
    });
    await copyRest();
    expect(await progress(id)).toMatchObject({ state: 'COMPLETED' });
    expect(await stored(id)).toMatchObject({ disabledAt: null, version: 2 });
    expect(await rowsOf(db, id)).toEqual(await rowsOf(db, project.id));
  });

  it('is copied once by several processes, and resumes after a batch that failed', async () => {
    const source = await newSource();
    const { db, project, copy, progress } = source;
    await addDocuments(source, 600);
    const id = await copy(true);
    await copyNext();
    const broken = await jobContext();
    const transact: typeof db.transact = (work) =>
      db.transact(async (session) => {
        await work(session);
        throw new Error('the process dies');
      });
    const failing = { ...broken, db: Object.assign(Object.create(db), { transact }) };
    await expect(doNext(failing, 'copyProject')).rejects.toThrow('the process dies');
    const { copied, state } = await progress(id);
    expect(state).toBe('RUNNING');
    expect(await db.prisma.document.count({ where: { projectId: id } })).toBe(0);
    expect(copied).toBeGreaterThan(0);
    await db.prisma.projectCopy.updateMany({ where: { projectId: id }, data: { nextAt: new Date(0) } });
    await Promise.all(Array.from({ length: 4 }, copyNext));
    await copyRest();
    expect(await rowsOf(db, id)).toEqual(await rowsOf(db, project.id));
  });

  it('stays as it is when the source is deleted, or its creator no longer manages the organization', async () => {
    const source = await newSource();
    const { db, ctx, organization, project, copy, progress, stored, owner } = source;
    await addDocuments(source, 600);
    const [first, second] = [await copy(true), await copy(true)];
    await db.prisma.membership.updateMany({ where: { userId: owner.id }, data: { role: 'MEMBER' } });
    await copyNext();
    await db.prisma.membership.updateMany({ where: { userId: owner.id }, data: { role: 'OWNER' } });
    await deleteProjects(ctx, { organizationId: organization.id, projectIds: [project.id] });
    await copyRest();
    const ended = [await progress(first), await progress(second)];
    expect(ended.map(({ state }) => state)).toEqual(['FAILED', 'FAILED']);
    expect(ended.map(({ error }) => error).sort()).toEqual([
      'The source project was deleted.',
      'Whoever started the copy may not create projects any more, or revoked the credential that did.',
    ]);
    expect((await stored(first)).disabledAt).not.toBeNull();
    expect(await db.prisma.event.count({ where: { subjectId: first, kind: 'project.copyFailed' } })).toBe(1);
    const enabled = await updateProject(ctx, { projectId: first, disabled: false });
    expect(enabled.disabledAt).toBeNull();
  });

  it('waits while it is deleted, and goes on when it is restored', async () => {
    const source = await newSource();
    const { db, ctx, organization, project, copy, progress } = source;
    await addDocuments(source, 600);
    const id = await copy(true);
    const selection = { organizationId: organization.id, projectIds: [id] };
    await deleteProjects(ctx, selection);
    expect(await copyNext()).toBe(false);
    await restoreProjects(ctx, selection);
    await copyRest();
    expect(await progress(id)).toMatchObject({ state: 'COMPLETED' });
    expect(await rowsOf(db, id)).toEqual(await rowsOf(db, project.id));
  });

  it('has what its source still has when a batch is copied, and nothing that was added since', async () => {
    const source = await newSource();
    const { db, ctx, document, other, project, copy, progress } = source;
    await addDocuments(source, 600);
    const id = await copy(true);
    await copyNext();
    await recycleDocuments(ctx, { documentIds: [other.id] });
    await updateDocument(ctx, { documentId: document.id, name: 'renamed.txt' });
    await newDocuments(ctx, project.id, [{ name: 'added.txt' }]);
    await copyRest();
    const { copied, total, state } = await progress(id);
    expect([state, copied]).toEqual(['COMPLETED', total]);
    const named = async (name: string) => db.prisma.document.count({ where: { projectId: id, name } });
    expect([await named('other.txt'), await named('renamed.txt'), await named('added.txt')]).toEqual([
      0, 1, 0,
    ]);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('copies and changes at the same time', () => {
  it('leave each copy whole: no reference leads into another project', async () => {
    const source = await newSource();
    const { db, ctx, project, organization, document, folder } = source;
    await addDocuments(source, 200);
    const { id: documentId } = document;
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => [
        source.copy(true),
        updateDocument(ctx, { documentId, tags: [`tag ${index}`, 'shared'] }),
        createFolders(ctx, { projectId: project.id, folders: [{ name: `F${index}`, parentId: folder.id }] }),
      ]).flat(),
    );
    expect(settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toEqual([]);
    const copies = await db.prisma.project.findMany({ where: { sourceId: project.id } });
    expect(copies).toHaveLength(8);
    for (const { id } of copies) {
      const { documents, folders, tags } = await rowsOf(db, id);
      expect(documents).toHaveLength(202);
      expect(folders?.length).toBeGreaterThanOrEqual(3);
      const texts = (tags as { text: string }[]).map(({ text }) => text);
      for (const each of documents as { tags: string[] }[])
        expect(each.tags.every((tag) => texts.includes(tag))).toBe(true);
    }
    const [stray] = await db.query<{ count: number }>(sql`SELECT count(*)::int FROM document_tags g
      JOIN documents d ON d.id = g.document_id JOIN tags t ON t.id = g.tag_id
      WHERE d.organization_id = ${organization.id} AND t.project_id <> d.project_id`);
    expect(stray?.count).toBe(0);
  });

  it('deleting the source lets a copy succeed, or makes it NOT_FOUND', async () => {
    const { ctx, organization, project, copy, db } = await newSource();
    const selection = { organizationId: organization.id, projectIds: [project.id] };
    const [, ...settled] = await Promise.allSettled([
      deleteProjects(ctx, selection),
      ...Array.from({ length: 6 }, () => copy(true)),
    ]);
    const codes = settled.flatMap((each) => (each.status === 'rejected' ? each.reason.code : []));
    expect(codes.filter((code) => code !== 'NOT_FOUND')).toEqual([]);
    const copies = await db.prisma.projectCopy.findMany({ where: { organizationId: organization.id } });
    expect(copies.every(({ state }) => state === 'COMPLETED')).toBe(true);
    expect(copies.length + codes.length).toBe(6);
  });
});

it('projects of a batch share one allowance of items in the request; the others are filled by the job', async () => {
  const source = await newSource();
  const { ctx, organization, project, db } = source;
  await addDocuments(source, 300);
  const projects = ['A', 'B'].map((name) => ({
    name,
    source: { projectId: project.id, copyContent: true },
  }));
  const created = await createProjects(ctx, { organizationId: organization.id, projects });
  const states = await Promise.all(created.map(async ({ id }) => (await source.progress(id)).state));
  expect(states).toEqual(['COMPLETED', 'RUNNING']);
  await copyRest();
  expect(await rowsOf(db, created[0]?.id as string)).toEqual(await rowsOf(db, created[1]?.id as string));
});

it('a project without a source has no copy', async () => {
  const { owner, project } = await newWorld();
  const { data } = await owner.graph(`{ project(id: "${project.id}") { copy { state } } }`);
  expect(data.project.copy).toBeNull();
});
