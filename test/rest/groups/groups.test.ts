import { expect, it } from 'vitest';
import { createGroups } from '../../../src/domain/membership/group-change.ts';
import { newMember, newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const groups = ['Pilots', 'Divers', 'Anglers'].map((name) => ({ name }));
  await createGroups(await owner.context(), { organizationId: organization.id, groups });
  const path = `/organizations/${organization.id}/projects/${project.id}/groups`;
  const names = async (query = '') =>
    (await owner.rest('GET', path + query)).body.Groups.map(({ Name }: { Name: string }) => Name);
  return { ...world, path, names };
}

it('lists the groups of the organization, with the ids of the project', async () => {
  const { owner, organization, project, path } = await setUp();
  const { body } = await owner.rest('GET', path);
  expect(body.Groups[0]).toMatchObject({
    ID: expect.stringMatching(/^grp_/),
    OrganizationID: organization.id,
    OrganizationName: organization.name,
    ProjectID: project.id,
    ProjectName: project.name,
    ProjectIsDisabled: false,
    CreatedByUserID: owner.id,
    CreatedByUserEmail: owner.email,
    ModifiedOn: '0001-01-01T00:00:00Z',
    Name: 'Anglers',
    NameLower: 'anglers',
  });
});

it('lists them by name in either direction', async () => {
  const { names } = await setUp();
  expect(await names('?getAll=true')).toEqual(['Anglers', 'Divers', 'Pilots']);
  expect(await names('?sortDescending=true')).toEqual(['Pilots', 'Divers', 'Anglers']);
});

it('does not list them to who does not see the project', async () => {
  const { db, stranger, organization, path } = await setUp();
  const guest = await newMember(db, organization.id, 'GUEST');
  expect((await guest.rest('GET', path)).status).toBe(404);
  expect((await stranger.rest('GET', path)).status).toBe(404);
});
