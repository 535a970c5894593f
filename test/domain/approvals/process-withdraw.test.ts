import { describe, expect, it } from 'vitest';
import { approveApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { withdrawProcessRuns } from '../../../src/domain/approvals/process-withdraw.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { newWorld, type Person } from '../../support/world.ts';
import { decide, started, stateOf, type World } from './runs.ts';

const runOf = async ({ db }: World, documentId: string): Promise<string> =>
  (await db.prisma.processRun.findFirstOrThrow({ where: { documentId } })).id;

const withdraw = async (person: Person, runId: string, reason?: string) =>
  withdrawProcessRuns(await person.context(), { runIds: [runId], reason });

describe('a run', () => {
  it('is withdrawn by who started it, with its pending approvals and the reason', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, owner, db } = world;
    const itemId = await started(world, { approvers: [ann] }, { approvers: [bob] });
    await decide(approveApprovals, ann, itemId);
    await withdraw(owner, await runOf(world, itemId), 'The wrong plan.');
    expect(await stateOf(world, itemId)).toEqual(['WITHDRAWN', 'APPROVED', 'WITHDRAWN']);
    const events = await db.prisma.event.findMany({
      where: { organizationId: world.organization.id },
      orderBy: { sequence: 'desc' },
      take: 2,
    });
    expect(events.map(({ kind, data }) => ({ kind, data }))).toMatchObject([
      { kind: 'document.processEnded', data: { result: 'WITHDRAWN', reason: 'The wrong plan.' } },
      { kind: 'approval.withdrawn' },
    ]);
    await expect(decide(approveApprovals, bob, itemId)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('that has ended is not withdrawn', async () => {
    const world = await newApprovalWorld();
    const { ann, owner } = world;
    const itemId = await started(world, { approvers: [ann] });
    await decide(approveApprovals, ann, itemId);
    const withdrawal = withdraw(owner, await runOf(world, itemId));
    await expect(withdrawal).rejects.toMatchObject({ code: 'CONFLICT', at: 'runIds.0' });
    expect(await stateOf(world, itemId)).toEqual(['APPROVED', 'APPROVED']);
  });

  it('is not withdrawn by an editor who did not start it', async () => {
    const world = await newApprovalWorld();
    const { ann } = world;
    const itemId = await started(world, { approvers: [ann] });
    await expect(withdraw(ann, await runOf(world, itemId))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await stateOf(world, itemId)).toEqual(['PENDING', 'PENDING']);
  });

  it('of another organization is not found', async () => {
    const world = await newApprovalWorld();
    const { owner: stranger } = await newWorld();
    const itemId = await started(world, { approvers: [world.ann] });
    const withdrawal = withdraw(stranger, await runOf(world, itemId));
    await expect(withdrawal).rejects.toMatchObject({ code: 'NOT_FOUND', at: 'runIds.0' });
  });
});
