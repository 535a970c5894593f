import { expect, it } from 'vitest';
import { deleteProjects, restoreProjects } from '../../../src/domain/projects/project-delete.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

/** A restricted project with one viewer, and what two members of the organization may do in it. */
async function scene() {
  const world = await newWorld();
  const { db, organization, project } = world;
  await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
  const viewer = await newMember(db, organization.id, 'MEMBER');
  const outside = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, viewer, 'VIEWER');
  const rights = () =>
    Promise.all(
      [viewer, outside].map(async (person) => {
        const query = 'query ($id: ID!) { node(id: $id) { ... on Project { access viewerRole } } }';
        return (await person.graph(query, { id: project.id })).data.node;
      }),
    );
  return { ...world, rights };
}

const KEPT = [{ access: 'RESTRICTED', viewerRole: 'VIEWER' }, null];

it('a restricted project stays so when it is restored', async () => {
  const { owner, organization, project, rights } = await scene();
  const ctx = await owner.context();
  const path = { organizationId: organization.id, projectIds: [project.id] };
  await deleteProjects(ctx, path);
  await restoreProjects(ctx, path);
  expect(await rights()).toEqual(KEPT);
});

it('a restricted project stays so when a change does not name its access, in both APIs', async () => {
  const { owner, organization, project, rights } = await scene();
  const change =
    'mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { project { name } } }';
  const input = { organizationId: organization.id, projectId: project.id, name: 'Renamed' };
  expect((await owner.graph(change, { input })).errors).toBeUndefined();
  expect(await rights()).toEqual(KEPT);
  const path = `/organizations/${organization.id}/projects/${project.id}`;
  expect((await owner.rest('PUT', path, { Name: 'Again' })).status).toBe(200);
  expect(await rights()).toEqual(KEPT);
});
