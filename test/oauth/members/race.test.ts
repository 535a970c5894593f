import { describe, expect, it } from 'vitest';
import { acceptInvitation } from '../../../src/domain/membership/invitation-change.ts';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { removeProjectInvitations } from '../../../src/domain/membership/project-invitation-change.ts';
import { addProjectMembers } from '../../../src/domain/membership/project-member-add.ts';
import { decideApplication } from '../../../src/domain/oauth/application-change.ts';
import { revokeAuthorization } from '../../../src/domain/oauth/grant.ts';
import { newClient } from '../../support/oauth.ts';
import { newPerson } from '../../support/world.ts';
import { ALL, newMembersWorld } from './members-world.ts';

const ROUNDS = Number(process.env.RACE_ROUNDS ?? 20);
const AT_ONCE = 8;

type Members = { email: string; role: 'MEMBER' }[];

const codesOf = (settled: PromiseSettledResult<unknown>[]) => [
  ...new Set(settled.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))),
];

/** Waits for a moment that is another one in each round. */
const inAWhile = (round: number) => new Promise((resolve) => setTimeout(resolve, round % 10));

describe.runIf(process.env.TEST_DATABASE_URL)('the end of an authorization at the same time', () => {
  it('as acceptances leaves each invitation accepted or withdrawn, never both', {
    timeout: 120_000,
  }, async () => {
    const { db, owner, organizationId, projectId, client, tokensFor } = await newMembersWorld();
    for (let round = 0; round < ROUNDS; round++) {
      const application = await (await owner.with((await tokensFor(ALL)).access_token)).context();
      const people = await Promise.all(Array.from({ length: AT_ONCE }, () => newPerson(db)));
      const members: Members = people.map(({ email }) => ({ email, role: 'MEMBER' }));
      // Half of them are invited by the application, and all of them into the project.
      const half = AT_ONCE / 2;
      const ours = await inviteMembers(application, { organizationId, members: members.slice(0, half) });
      const theirs = await inviteMembers(await owner.context(), {
        organizationId,
        members: members.slice(half),
      });
      const invitations = [...ours.invitations, ...theirs.invitations];
      await addProjectMembers(application, {
        projectId,
        members: invitations.map(({ id: invitationId }) => ({
          person: { invitationId },
          role: 'EDITOR' as const,
        })),
      });
      const contexts = await Promise.all(people.map((each) => each.context()));
      const ctx = await owner.context();
      const [accepted] = await Promise.all([
        Promise.allSettled(
          contexts.map((each, index) =>
            acceptInvitation(each, { invitationId: invitations[index]?.id as string }),
          ),
        ),
        inAWhile(round).then(() => revokeAuthorization(ctx, { clientId: client.id })),
      ]);
      expect(codesOf(accepted).every((code) => code === 'NOT_FOUND')).toBe(true);
      for (const [index, { id: userId }] of people.entries()) {
        const subjectId = invitations[index]?.id as string;
        const count = (kind: string) => db.prisma.event.count({ where: { organizationId, subjectId, kind } });
        const isMember = await db.prisma.membership.count({ where: { organizationId, userId } });
        const inProject = await db.prisma.projectMember.count({ where: { projectId, userId } });
        const [withdrawn, removed] = [
          await count('invitation.withdrawn'),
          await count('projectInvitation.removed'),
        ];
        if (index < half)
          expect([isMember, inProject, withdrawn, removed]).toEqual(isMember ? [1, 1, 0, 0] : [0, 0, 1, 0]);
        else
          expect([isMember, inProject, withdrawn, removed]).toEqual(inProject ? [1, 1, 0, 0] : [1, 0, 0, 1]);
      }
      expect(await db.prisma.projectInvitation.count({ where: { projectId } })).toBe(0);
    }
  });

  it('as the application invites leaves none of its invitations', { timeout: 120_000 }, async () => {
    const { db, owner, organizationId, projectId, client, tokensFor, inviteInPerson } =
      await newMembersWorld();
    for (let round = 0; round < ROUNDS; round++) {
      const application = await (await owner.with((await tokensFor(ALL)).access_token)).context();
      const invitationId = await inviteInPerson(`in-person-${round}@example.test`);
      const ctx = await owner.context();
      const invite = (index: number) => {
        const members: Members = [{ email: `r${round}-${index}@example.test`, role: 'MEMBER' }];
        return inviteMembers(application, { organizationId, members });
      };
      const add = () =>
        addProjectMembers(application, {
          projectId,
          members: [{ person: { invitationId }, role: 'EDITOR' }],
        });
      const [invited] = await Promise.all([
        Promise.allSettled([add(), ...Array.from({ length: AT_ONCE }, (_, index) => invite(index))]),
        inAWhile(round).then(() => revokeAuthorization(ctx, { clientId: client.id })),
      ]);
      expect(codesOf(invited).every((code) => code === 'UNAUTHENTICATED')).toBe(true);
      expect(await db.prisma.invitation.count({ where: { clientId: client.id } })).toBe(0);
      expect(await db.prisma.projectInvitation.count({ where: { clientId: client.id } })).toBe(0);
    }
  });

  it('or the refusal by an organization, leaves none of its invitations there', {
    timeout: 120_000,
  }, async () => {
    const { db, owner, stranger, organizationId, tokensFor } = await newMembersWorld();
    const theirs = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
    const client = await newClient(stranger, theirs.organizationId, {
      scopes: ['read', 'write', 'members:write'],
    });
    const path = { organizationId, clientId: client.id };
    for (let round = 0; round < ROUNDS; round++) {
      const ctx = await owner.context();
      await decideApplication(ctx, { ...path, decision: 'APPROVED' });
      const application = await (await owner.with((await tokensFor(ALL, client)).access_token)).context();
      const invite = (index: number) => {
        const members: Members = [{ email: `r${round}-${index}@example.test`, role: 'MEMBER' }];
        return inviteMembers(application, { organizationId, members });
      };
      const [invited] = await Promise.all([
        Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => invite(index))),
        inAWhile(round).then(() => decideApplication(ctx, { ...path, decision: 'REFUSED' })),
      ]);
      expect(codesOf(invited).every((code) => code === 'FORBIDDEN')).toBe(true);
      expect(await db.prisma.invitation.count({ where: { clientId: client.id } })).toBe(0);
    }
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('the removal of invited people from a project', () => {
  it('or their acceptance wins, never both', { timeout: 120_000 }, async () => {
    const { db, owner, organizationId, projectId, inviteInPerson } = await newMembersWorld();
    for (let round = 0; round < ROUNDS; round++) {
      const person = await newPerson(db);
      const invitationId = await inviteInPerson(person.email);
      const ctx = await owner.context();
      const members = [{ person: { invitationId }, role: 'EDITOR' as const }];
      const { invitations } = await addProjectMembers(ctx, { projectId, members });
      const projectInvitationIds = [invitations[0]?.id as string];
      const theirs = await person.context();
      const [removed] = await Promise.allSettled([
        inAWhile(round).then(() => removeProjectInvitations(ctx, { projectId, projectInvitationIds })),
        acceptInvitation(theirs, { invitationId }),
      ]);
      const joined = await db.prisma.projectMember.count({ where: { projectId, userId: person.id } });
      expect([removed.status, joined]).toEqual(joined ? ['rejected', 1] : ['fulfilled', 0]);
      expect(await db.prisma.membership.count({ where: { organizationId, userId: person.id } })).toBe(1);
    }
  });
});
