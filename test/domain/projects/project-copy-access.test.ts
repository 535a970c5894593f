import { describe, expect, it } from 'vitest';
import { createProjects } from '../../../src/domain/projects/project.ts';
import type { ProjectAccess } from '../../../src/generated/prisma/client.ts';
import { newApplication, through } from '../../support/webhooks.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

const ROLE = 'query ($id: ID!) { node(id: $id) { ... on Project { access viewerRole } } }';

/** A project with members of each role, and a member who is not in it. */
async function scene(access: ProjectAccess) {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  await db.prisma.project.update({ where: { id: project.id }, data: { access } });
  const people = {
    admin: await newMember(db, organization.id, 'MEMBER'),
    editor: await newMember(db, organization.id, 'MEMBER'),
    viewer: await newMember(db, organization.id, 'MEMBER'),
    guest: await newMember(db, organization.id, 'GUEST'),
    outside: await newMember(db, organization.id, 'MEMBER'),
  };
  await joinProject(db, project, people.admin, 'ADMIN');
  await joinProject(db, project, people.editor, 'EDITOR');
  await joinProject(db, project, people.viewer, 'VIEWER');
  await joinProject(db, project, people.guest, 'EDITOR');
  /** What each of them may do in a project. */
  const rights = async (id: string) => {
    const entries = Object.entries(people).map(async ([name, person]) => [
      name,
      (await person.graph(ROLE, { id })).data.node,
    ]);
    return Object.fromEntries(await Promise.all(entries));
  };
  const copyOf = (chosen?: ProjectAccess) => ({
    organizationId: organization.id,
    projects: [{ name: 'Copy', access: chosen, source: { projectId: project.id } }],
  });
  const copy = async (chosen?: ProjectAccess, ctx = owner.context()) =>
    (await createProjects(await ctx, copyOf(chosen)))[0]?.id as string;
  const asApplication = async () => {
    const application = await newApplication(db, organization.id, owner.id);
    return through(owner, await application.grant(owner.id));
  };
  return { ...world, people, rights, copy, asApplication };
}

describe('a copy of a project', () => {
  it.each([
    'OPEN',
    'RESTRICTED',
  ] as const)('that is %s gives everybody the same rights as its source', async (access) => {
    const { project, rights, copy, db } = await scene(access);
    const expected = await rights(project.id);
    expect(expected.viewer).toEqual({ access, viewerRole: 'VIEWER' });
    const id = await copy();
    expect(await rights(id)).toEqual(expected);
    const kinds = await db.prisma.event.findMany({ where: { projectId: id }, select: { kind: true } });
    expect(kinds.filter(({ kind }) => kind === 'projectMember.added')).toHaveLength(4);
  });

  it.each(['OPEN', 'RESTRICTED'] as const)('that is %s does so over REST', async (access) => {
    const { owner, organization, project, rights } = await scene(access);
    const projects = [{ Name: 'Copy', SourceID: project.id }];
    const { status, body } = await owner.rest('POST', `/organizations/${organization.id}/projects`, projects);
    expect(status).toBe(200);
    expect(await rights(body[0].ID)).toEqual(await rights(project.id));
  });

  it('is open if a person says so', async () => {
    const { copy, rights } = await scene('RESTRICTED');
    expect((await rights(await copy('OPEN'))).outside).toEqual({ access: 'OPEN', viewerRole: 'EDITOR' });
  });

  it('that an application makes is not wider than its source, by default or because it says so', async () => {
    const { copy, rights, asApplication } = await scene('RESTRICTED');
    await expect(copy('OPEN', asApplication())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await rights(await copy(undefined, asApplication()))).outside).toBeNull();
    expect((await rights(await copy('RESTRICTED', asApplication()))).outside).toBeNull();
  });

  it('that an application makes may be narrower', async () => {
    const { copy, rights, asApplication } = await scene('OPEN');
    const id = await copy('RESTRICTED', asApplication());
    expect(await rights(id)).toMatchObject({ editor: { access: 'RESTRICTED' }, outside: null });
  });
});
