import type { Database } from '../../../../src/db/database.ts';
import { newApprovalWorld, type StepOf } from '../../../support/approvals.ts';
import { newApp } from '../../../support/browser.ts';
import { newDocuments } from '../../../support/storage.ts';
import { visitorsOf } from '../scene.ts';

/** A world with approvals, visitors of the console, and a helper that has a document wait for its first step. */
export async function newApprovalScene(on?: Database) {
  const world = await newApprovalWorld(on);
  const { db, owner, project, organization, process, start, approvals } = world;
  const as = visitorsOf(db, await newApp(db));
  const organizationPath = `/console/${organization.id}`;
  const newDocument = async (name = 'Plan.txt') => {
    const [document] = await newDocuments(await owner.context(), project.id, [{ name }]);
    return document?.id as string;
  };
  /** Gives the id of the approval of the first step, the path of its page, and what was answered. */
  const request = async (...steps: StepOf[]) => {
    const itemId = await newDocument();
    await start(await process(...steps), itemId);
    const [approval] = await approvals(itemId);
    const id = approval?.id as string;
    const votes = async () =>
      (await db.prisma.approver.findMany({ where: { approvalId: id } })).map(
        ({ userId, state, delegatedFromId, comment }) => ({ userId, state, delegatedFromId, comment }),
      );
    return { id, itemId, votes, path: `${organizationPath}/approvals/${id}` };
  };
  const membershipOf = async ({ id }: { id: string }): Promise<string> => {
    const where = { userId: id, organizationId: organization.id };
    return (await db.prisma.membership.findFirstOrThrow({ where })).id;
  };
  return {
    ...world,
    ...{ as, organizationPath, newDocument, request, membershipOf },
    projectPath: `${organizationPath}/projects/${project.id}`,
  };
}
