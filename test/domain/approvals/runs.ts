import type { approveApprovals } from '../../../src/domain/approvals/approval-change.ts';
import type { newApprovalWorld, StepOf } from '../../support/approvals.ts';
import type { Person } from '../../support/world.ts';

export type World = Awaited<ReturnType<typeof newApprovalWorld>>;

/** A document on which a process with these steps was started. */
export async function started(world: World, ...steps: StepOf[]): Promise<string> {
  const itemId = await world.document();
  await world.start(await world.process(...steps), itemId);
  return itemId;
}

export const decide = async (verb: typeof approveApprovals, person: Person, itemId: string) =>
  verb(await person.context(), { ids: [itemId] });

/** The state of the run on a document, and those of its approvals, oldest first. */
export const stateOf = async ({ approvals, db }: World, itemId: string) => {
  const run = await db.prisma.processRun.findFirst({ where: { documentId: itemId } });
  return [run?.state, ...(await approvals(itemId)).map(({ state }) => state)];
};

/** The approvers of each approval of an item. */
export const askedOf = async ({ approvals }: World, itemId: string) =>
  (await approvals(itemId)).map(({ approvers }) => approvers.map(({ userId }) => userId).sort());

export const idsOf = (...people: Person[]) => people.map(({ id }) => id).sort();

export const memberId = async ({ db, organization }: World, { id }: Person): Promise<string> => {
  const where = { organizationId: organization.id, userId: id };
  return (await db.prisma.membership.findFirstOrThrow({ where })).id;
};
