import { acceptInvitation } from '../../../src/domain/membership/invitation-change.ts';
import { newPerson } from '../../support/world.ts';
import { type MembersWorld, newMembersWorld, run } from './members-world.ts';

/** What an application made, and what it did not: invitations to the organization and to a project. */
export async function invitedWorld(
  application?: (world: MembersWorld) => Promise<MembersWorld['application']>,
) {
  const world = await newMembersWorld();
  const { db, owner, organizationId, projectId, invite, inviteInPerson } = world;
  const acting = (await application?.(world)) ?? world.application;
  const [accepting, waiting] = [await newPerson(db), await newPerson(db)];
  const toProject = (invitationId: string) =>
    run(acting, 'addProjectMembers', { projectId, members: [{ person: { invitationId }, role: 'EDITOR' }] });
  for (const { email } of [accepting, waiting])
    await toProject((await invite(acting, email)).data.inviteMembers.invitations[0].id);
  const byHand = await inviteInPerson('in-person@example.test');
  await toProject(byHand);
  const invitationOf = async (email: string) =>
    (await db.prisma.invitation.findFirstOrThrow({ where: { organizationId, email } })).id;
  await acceptInvitation(await accepting.context(), { invitationId: await invitationOf(accepting.email) });
  const invitationId = await invitationOf(waiting.email);
  const left = async () => ({
    invitations: await world.invited(),
    toProjects: await db.prisma.projectInvitation.count({ where: { organizationId } }),
    members: await db.prisma.projectMember.count({ where: { organizationId, userId: accepting.id } }),
  });
  const events = (kinds: string[]) =>
    db.prisma.event.findMany({
      where: { organizationId, kind: { in: kinds } },
      orderBy: { sequence: 'asc' },
    });
  return { ...world, owner, acting, waiting, byHand, invitationId, left, events };
}

export type Invited = Awaited<ReturnType<typeof invitedWorld>>;

/** What is left then. */
export const ENDED = { invitations: ['in-person@example.test'], toProjects: 0, members: 1 };
