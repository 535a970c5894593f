import { expect, it } from 'vitest';
import { hashOf } from '../../src/domain/audit.ts';
import { createProjects } from '../../src/domain/project.ts';
import { updateProject } from '../../src/domain/project-change.ts';
import { newWorld } from '../support/world.ts';

it('numbers the events of an organization without gaps, each hash covering the one before', async () => {
  const { db, owner, organization, project } = await newWorld();
  await updateProject(await owner.context(), { projectId: project.id, name: 'Renamed' });
  const events = await db.prisma.event.findMany({
    where: { organizationId: organization.id },
    orderBy: { sequence: 'asc' },
  });
  expect(events.map(({ sequence, kind }) => [Number(sequence), kind])).toEqual([
    [1, 'organization.created'],
    [2, 'member.added'],
    [3, 'project.created'],
    [4, 'project.updated'],
  ]);
  let before = new Uint8Array();
  for (const { hash, ...row } of events) {
    before = hashOf(before, row as never);
    expect(Buffer.from(hash).equals(before)).toBe(true);
  }
});

it('leaves no event and no number behind when a command fails', async () => {
  const { db, owner, organization } = await newWorld();
  const input = {
    organizationId: organization.id,
    projects: [{ name: 'x', sourceId: 'prj_00000000000000000000000000' }],
  };
  await expect(createProjects(await owner.context(), input)).rejects.toThrow('Source project not found.');
  const head = await db.prisma.eventHead.findUniqueOrThrow({ where: { organizationId: organization.id } });
  expect(Number(head.sequence)).toBe(3);
});

it.runIf(process.env.TEST_DATABASE_URL)('keeps the chain whole when twenty commands race', async () => {
  const { db, owner, organization } = await newWorld();
  const context = await owner.context();
  const commands = Array.from({ length: 20 }, (_, index) =>
    createProjects(context, { organizationId: organization.id, projects: [{ name: `P${index}` }] }),
  );
  await Promise.all(commands);
  const events = await db.prisma.event.findMany({
    where: { organizationId: organization.id },
    orderBy: { sequence: 'asc' },
  });
  expect(events.map(({ sequence }) => Number(sequence))).toEqual(
    Array.from({ length: 23 }, (_, index) => index + 1),
  );
});
