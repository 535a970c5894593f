import { describe, expect, it } from 'vitest';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { deleteProjects, restoreProjects } from '../../../src/domain/projects/project-delete.ts';
import { newWorld } from '../../support/world.ts';

const outcomes = (settled: PromiseSettledResult<unknown>[]) => ({
  won: settled.filter(({ status }) => status === 'fulfilled').length,
  codes: [...new Set(settled.flatMap((each) => (each.status === 'rejected' ? each.reason.code : [])))],
});

const times = <Result>(count: number, call: (index: number) => Promise<Result>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => call(index)));

async function newProjects(count: number) {
  const { db, owner, organization } = await newWorld();
  const ctx = await owner.context();
  const organizationId = organization.id;
  const projects = Array.from({ length: count }, (_, index) => ({ name: `Project ${index}` }));
  const projectIds = (await createProjects(ctx, { organizationId, projects })).map(({ id }) => id);
  const input = { organizationId, projectIds };
  /** For each project whether it is deleted, its version, and its events. */
  const standing = async () => {
    const rows = await db.prisma.project.findMany({
      where: { id: { in: projectIds } },
      orderBy: { id: 'asc' },
    });
    return Promise.all(
      rows.map(async ({ id, purgeMarkedAt, purgeMarkedById, version }) => {
        const events = await db.prisma.event.findMany({
          where: { organizationId, subjectId: id },
          orderBy: { sequence: 'asc' },
        });
        const kinds = events.map(({ kind }) => kind.replace('project.', ''));
        return { deleted: purgeMarkedAt !== null, by: purgeMarkedById, version, kinds };
      }),
    );
  };
  return { ctx, ownerId: owner.id, input, standing };
}

describe.runIf(process.env.TEST_DATABASE_URL)('20 concurrent', () => {
  it('deletions of a project delete it once; the others answer NOT_FOUND', async () => {
    const { ctx, ownerId, input, standing } = await newProjects(1);
    const settled = await times(20, () => deleteProjects(ctx, input));
    expect(outcomes(settled)).toEqual({ won: 1, codes: ['NOT_FOUND'] });
    expect(await standing()).toEqual([
      { deleted: true, by: ownerId, version: 2, kinds: ['created', 'deleted'] },
    ]);
  });

  it('restorations of a project restore it once; the others find no deleted project', async () => {
    const { ctx, input, standing } = await newProjects(1);
    await deleteProjects(ctx, input);
    const settled = await times(20, () => restoreProjects(ctx, input));
    expect(outcomes(settled)).toEqual({ won: 1, codes: ['NOT_FOUND'] });
    expect(await standing()).toEqual([
      { deleted: false, by: null, version: 3, kinds: ['created', 'deleted', 'restored'] },
    ]);
  });

  it('deletions and restorations are serialized: each success follows the opposite one', async () => {
    const { ctx, ownerId, input, standing } = await newProjects(1);
    const settled = await times<unknown>(20, (index) =>
      (index % 2 ? restoreProjects : deleteProjects)(ctx, input),
    );
    const { won, codes } = outcomes(settled);
    expect(won).toBeGreaterThan(0);
    expect(codes.filter((code) => code !== 'NOT_FOUND')).toEqual([]);
    const turns = Array.from({ length: won }, (_, index) => (index % 2 ? 'restored' : 'deleted'));
    const deleted = won % 2 === 1;
    expect(await standing()).toEqual([
      { deleted, by: deleted ? ownerId : null, version: 1 + won, kinds: ['created', ...turns] },
    ]);
  });

  it('overlapping batches in opposite order succeed as a whole or not at all', async () => {
    const { ctx, input, standing } = await newProjects(4);
    const [a, b, c, d] = input.projectIds as [string, string, string, string];
    const batches = [
      [a, b, c],
      [d, c, b],
      [c, a],
      [b, d],
    ];
    const settled = await times(20, (index) =>
      deleteProjects(ctx, { ...input, projectIds: batches[index % 4] as string[] }),
    );
    expect(outcomes(settled).codes).toEqual(['NOT_FOUND']);
    const winners = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    expect(new Set(winners).size).toBe(winners.length);
    const rows = await standing();
    for (const [index, id] of [...input.projectIds].sort().entries()) {
      const deleted = winners.includes(id);
      expect(rows[index]).toMatchObject({ deleted, version: deleted ? 2 : 1 });
      expect(rows[index]?.kinds).toEqual(deleted ? ['created', 'deleted'] : ['created']);
    }
  });
});
