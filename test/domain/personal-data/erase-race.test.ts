import { describe, expect, it } from 'vitest';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { verifyChains } from '../../../src/domain/events/audit-verify.ts';
import { createOrganization } from '../../../src/domain/organizations/organization.ts';
import { erasePerson } from '../../../src/domain/personal-data/erase-person.ts';
import { newDocuments } from '../../support/storage.ts';
import { config, newMember, newPerson, newWorld } from '../../support/world.ts';

const CAUSE = { by: 'PERSON', reason: 'Asked for' } as const;

async function scene() {
  const world = await newWorld();
  const { db, organization, project, owner } = world;
  const person = await newMember(db, organization.id, 'OWNER');
  const ctx = await person.context();
  const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'a.txt' }]);
  const site = { db, storage: ctx.storage, limits: config.limits };
  return { ...world, person, ctx, site, documentId: document?.id as string };
}

const codesOf = (settled: PromiseSettledResult<unknown>[]) =>
  [...new Set(settled.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : [])))].sort();

describe.runIf(process.env.TEST_DATABASE_URL)('an erasure beside other requests', () => {
  it('has what the person writes before it, redacted where it holds the address, or refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { db, ctx, site, person, documentId, organization } = await scene();
      const write = () => createComments(ctx, { documentId, texts: [`by ${person.email}`] });
      const writes = Array.from({ length: 12 }, write);
      const erasure = erasePerson(site, person.id, CAUSE);
      const settled = await Promise.allSettled([...writes, ...Array.from({ length: 12 }, write)]);
      await erasure;
      expect(codesOf(settled)).toEqual(['UNAUTHENTICATED']);
      const comments = await db.prisma.event.findMany({
        where: { subjectId: documentId, actorId: person.id },
      });
      expect(comments).toHaveLength(settled.filter(({ status }) => status === 'fulfilled').length);
      expect(JSON.stringify(comments.map(({ data }) => data))).not.toContain(person.email);
      for await (const { finding } of verifyChains(db, organization.id)) expect(finding).toBeUndefined();
    }
  });

  it('of two owners at the same time leaves one', async () => {
    for (let round = 0; round < 5; round++) {
      const { db, site, person, owner, organization } = await scene();
      const settled = await Promise.allSettled([
        erasePerson(site, person.id, CAUSE),
        erasePerson(site, owner.id, CAUSE),
      ]);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(codesOf(settled)).toEqual(['CONFLICT']);
      expect(
        await db.prisma.membership.count({ where: { organizationId: organization.id, role: 'OWNER' } }),
      ).toBe(1);
    }
  });

  it('twice at the same time is done once', async () => {
    const { db, site, person, organization } = await scene();
    await Promise.all([erasePerson(site, person.id, CAUSE), erasePerson(site, person.id, CAUSE)]);
    const { id: organizationId } = organization;
    expect(await db.prisma.event.count({ where: { organizationId, kind: 'member.removed' } })).toBe(1);
    expect(await db.prisma.securityEvent.count({ where: { userId: person.id } })).toBe(1);
  });

  it('leaves no organization that the person creates meanwhile', async () => {
    const { db, site } = await scene();
    const person = await newPerson(db);
    const ctx = await person.context();
    const settled = await Promise.allSettled([
      erasePerson(site, person.id, CAUSE),
      ...Array.from({ length: 6 }, () => createOrganization(ctx, { name: 'Late' })),
    ]);
    const erased = settled[0]?.status === 'fulfilled';
    const created = await db.prisma.organization.count({ where: { createdById: person.id } });
    expect(created === 0 || !erased).toBe(true);
  });
});
