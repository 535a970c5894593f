import { describe, expect, it } from 'vitest';
import { findProjects } from '../../../src/domain/projects/project.ts';
import type { GraphContext } from '../../../src/graph/engine/context.ts';
import { loadersFor } from '../../../src/graph/engine/loaders.ts';
import { foundRow } from '../../../src/graph/schema/kernel/found-row.ts';
import { schema } from '../../../src/graph/schema/schema.ts';
import { counted } from '../../support/database.ts';
import { newWorld, type Person } from '../../support/world.ts';

const contextOf = async (person: Person) => {
  const ctx = await person.context();
  return { ...ctx, load: loadersFor(ctx) } as unknown as GraphContext;
};

const foundProject = foundRow(findProjects, 'viewerRole', 'Project');

describe('a row that the Prisma plugin has loaded', () => {
  it('is found again where what its finder computes is read, and one of the finder is not', async () => {
    const { db, owner, project } = await newWorld();
    const ctx = await contextOf(owner);
    const ofPrisma = await db.prisma.project.findFirstOrThrow({ where: { id: project.id } });
    expect(await foundProject(ctx, ofPrisma, ({ viewerRole }) => viewerRole)).toBe('ADMIN');
    const row = await ctx.load.seen(findProjects, project.id, 'Project');
    const { result, statements } = await counted(async () =>
      foundProject(ctx, row, ({ viewerRole }) => viewerRole),
    );
    expect([result, statements]).toEqual(['ADMIN', []]);
  });

  it('is NOT_FOUND for who does not see it', async () => {
    const { db, stranger, project } = await newWorld();
    const ofPrisma = await db.prisma.project.findFirstOrThrow({ where: { id: project.id } });
    const role = foundProject(await contextOf(stranger), ofPrisma, ({ viewerRole }) => viewerRole);
    await expect(role).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has every field of its type', async () => {
    const { db, owner, project } = await newWorld();
    const ctx = await contextOf(owner);
    const ofPrisma = await db.prisma.project.findFirstOrThrow({ where: { id: project.id } });
    const fields = (schema.getType('Project') as import('graphql').GraphQLObjectType).getFields();
    for (const [name, value] of [
      ['viewerRole', 'ADMIN'],
      ['viewerCanUpdate', true],
    ] as const)
      expect(await fields[name]?.resolve?.(ofPrisma, {}, ctx, {} as never)).toBe(value);
  });
});
