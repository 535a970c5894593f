import { describe, expect, it } from 'vitest';
import { createFormTemplates } from '../../../../src/domain/forms/form-change.ts';
import { sweep } from '../../../../src/domain/maintenance/sweep.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { deleteProjects } from '../../../../src/domain/projects/project-delete.ts';
import { purgeProjects } from '../../../../src/domain/projects/project-purge.ts';
import { newRestWorld } from '../../../rest/fixture.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const DELETE = `mutation ($input: DeleteProjectsInput!) { deleteProjects(input: $input) { projectIds } }`;
const RESTORE = `mutation ($input: RestoreProjectsInput!) { restoreProjects(input: $input) { projects { id name } } }`;
const LISTED = `query ($id: ID!) { organization(id: $id) {
  projects { totalCount } deletedProjects { totalCount nodes { projectId name deletedAt deletedBy { email } } } } }`;

async function twoProjects() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const [other] = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Other' }],
  });
  const input = (...projectIds: (string | undefined)[]) => ({
    input: { organizationId: organization.id, projectIds },
  });
  const listed = async (person: typeof owner) =>
    (await person.graph(LISTED, { id: organization.id })).data.organization;
  return { ...world, other, input, listed, project };
}

describe('a deleted project', () => {
  it('is invisible with its content, and listed only for those who can restore it', async () => {
    const { db, owner, organization, project, input, listed } = await twoProjects();
    const member = await newMember(db, organization.id, 'MEMBER');
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'in it' }]);
    const { data } = await owner.graph(DELETE, input(project.id));
    expect(data.deleteProjects.projectIds).toEqual([project.id]);
    expect(await listed(owner)).toMatchObject({
      projects: { totalCount: 1 },
      deletedProjects: {
        totalCount: 1,
        nodes: [{ projectId: project.id, name: 'Quay', deletedBy: { email: owner.email } }],
      },
    });
    expect((await listed(member)).deletedProjects).toEqual({ totalCount: 0, nodes: [] });
    const query = `query ($d: ID!, $p: ID!) { document(id: $d) { id } project(id: $p) { id }
      viewer { documents { totalCount } } }`;
    const afterDeletion = await owner.graph(query, { d: document?.id, p: project.id });
    expect(afterDeletion.data).toEqual({
      document: null,
      project: null,
      viewer: { documents: { totalCount: 0 } },
    });
    expect(codes(afterDeletion.errors)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });

  it('is restored completely, also if it was disabled', async () => {
    const { db, owner, project, input, listed } = await twoProjects();
    await newDocuments(await owner.context(), project.id, [{ name: 'in it' }]);
    await updateProject(await owner.context(), { projectId: project.id, disabled: true });
    await owner.graph(DELETE, input(project.id));
    const { data } = await owner.graph(RESTORE, input(project.id));
    expect(data.restoreProjects.projects).toEqual([{ id: project.id, name: 'Quay' }]);
    expect(await listed(owner)).toMatchObject({
      projects: { totalCount: 2 },
      deletedProjects: { totalCount: 0 },
    });
    const query = `query ($id: ID!) { project(id: $id) { disabled documents { nodes { name } } } }`;
    expect((await owner.graph(query, { id: project.id })).data.project).toEqual({
      disabled: true,
      documents: { nodes: [{ name: 'in it' }] },
    });
    const events = await db.prisma.event.findMany({
      where: { subjectId: project.id, kind: { in: ['project.deleted', 'project.restored'] } },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ kind }) => kind)).toEqual(['project.deleted', 'project.restored']);
  });

  it('is deleted with all others of its batch, or none is', async () => {
    const { owner, project, other, stranger, input, listed } = await twoProjects();
    const theirs = (await stranger.graph('{ viewer { organizations { nodes { id } } } }')).data.viewer;
    const foreign = { input: { organizationId: theirs.organizations.nodes[0].id, projectIds: [project.id] } };
    expect(codes((await stranger.graph(DELETE, foreign)).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await owner.graph(DELETE, input(project.id, 'no-project'))).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await owner.graph(DELETE, input())).errors)).toEqual(['BAD_USER_INPUT']);
    expect((await listed(owner)).projects.totalCount).toBe(2);
    expect((await owner.graph(DELETE, input(project.id, other?.id, project.id))).errors).toBeUndefined();
    expect((await listed(owner)).projects.totalCount).toBe(0);
    expect(codes((await owner.graph(DELETE, input(project.id))).errors)).toEqual(['NOT_FOUND']);
  });

  it('requires an admin of the project to delete, and one of the organization to restore', async () => {
    const { db, organization, owner, stranger, project, other, input } = await twoProjects();
    const member = await newMember(db, organization.id, 'MEMBER');
    expect(codes((await member.graph(DELETE, input(project.id))).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(DELETE, input(project.id))).errors)).toEqual(['NOT_FOUND']);
    await owner.graph(DELETE, input(project.id));
    expect(codes((await member.graph(RESTORE, input(project.id))).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(RESTORE, input(project.id))).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await owner.graph(RESTORE, input(project.id, other?.id))).errors)).toEqual(['NOT_FOUND']);
  });

  it('closes the public links of its forms', async () => {
    const { owner, organization, project, bodies } = await newRestWorld();
    const base = `/organizations/${organization.id}/projects/${project.id}`;
    const [form] = (await owner.rest('POST', `${base}/formTemplateActions/share`, bodies.shareFormTemplates))
      .body;
    const path = `/formTemplatesPublic/${form.ID}?uniqueId=${form.UniqueID}`;
    const visitor = await owner.with('none');
    expect((await visitor.rest('GET', path)).status).toBe(200);
    await deleteProjects(await owner.context(), {
      organizationId: organization.id,
      projectIds: [project.id],
    });
    expect((await visitor.rest('GET', path)).status).toBe(404);
  });
});

describe('the purge of a deleted project', () => {
  const DAY = 86_400_000;

  it('happens after the retention time, and deletes all content except the events', async () => {
    const { db, owner, organization, project } = await newRestWorld();
    const ctx = await owner.context();
    await createFormTemplates(ctx, { projectId: project.id, formTemplates: [{ name: 'Private' }] });
    await deleteProjects(ctx, { organizationId: organization.id, projectIds: [project.id] });
    expect(await purgeProjects(db, DAY)).toBe(0);
    expect(await db.prisma.project.count({ where: { id: project.id } })).toBe(1);
    await purgeProjects(db, 0);
    await sweep(db, ctx.storage.store);
    await purgeProjects(db, 0);
    const { id: projectId } = project;
    expect([
      await db.prisma.project.count({ where: { id: projectId } }),
      await db.prisma.document.count({ where: { projectId } }),
      await db.prisma.task.count({ where: { projectId } }),
    ]).toEqual([0, 0, 0]);
    const last = await db.prisma.event.findFirst({
      where: { subjectId: projectId },
      orderBy: { sequence: 'desc' },
    });
    expect(last).toMatchObject({ kind: 'project.purged', actorId: null });
  });

  it('waits for documents under legal hold', async () => {
    const { db, owner, organization, project } = await newWorld();
    const ctx = await owner.context();
    const [underHold] = await newDocuments(ctx, project.id, [{ name: 'held' }, { name: 'other' }]);
    await db.prisma.document.update({ where: { id: underHold?.id }, data: { legalHold: true } });
    await deleteProjects(ctx, { organizationId: organization.id, projectIds: [project.id] });
    await purgeProjects(db, 0);
    await sweep(db, ctx.storage.store);
    await purgeProjects(db, 0);
    const remaining = await db.prisma.document.findMany({ where: { projectId: project.id } });
    expect(remaining.map(({ name }) => name)).toEqual(['held']);
  });
});
