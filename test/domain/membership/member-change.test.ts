import { expect, it } from 'vitest';
import { updateMember } from '../../../src/domain/membership/member-change.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

it('records the project roles that a new guest had', async () => {
  const { db, owner, organization, project } = await newWorld();
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, { ...project, createdById: owner.id }, member, 'EDITOR');
  const path = { organizationId: organization.id, userId: member.id };
  const { id: memberId } = await db.prisma.membership.findFirstOrThrow({ where: path });
  await updateMember(await owner.context(), { memberId, role: 'GUEST' });
  const where = { subjectId: member.id, kind: 'member.updated' };
  expect((await db.prisma.event.findFirstOrThrow({ where })).data).toEqual({
    before: { role: 'MEMBER' },
    after: { role: 'GUEST' },
    projectRoles: {
      before: [{ projectId: project.id, role: 'EDITOR' }],
      after: [{ projectId: project.id, role: 'VIEWER' }],
    },
    withdrawnInvitations: [],
  });
});
