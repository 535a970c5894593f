import { expect, it } from 'vitest';
import { newDocuments } from '../../support/storage.ts';
import { newMember, newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'a.txt' }]);
  const base = `/organizations/${organization.id}`;
  const content = `${base}/projects/${project.id}/documentContentPackages/${document?.id}`;
  const member = await newMember(db, organization.id, 'MEMBER');
  return { ...world, member, document, content, path: `${base}/recentlyAccessedDocuments` };
}

it('lists the documents whose content package the caller read', async () => {
  const { db, member, organization, project, document, content, path } = await setUp();
  expect((await member.rest('GET', content)).status).toBe(200);
  const membership = await db.prisma.membership.findFirstOrThrow({ where: { userId: member.id } });
  const { body } = await member.rest('GET', path);
  expect(body.RecentlyAccessedDocuments).toEqual([
    {
      ID: expect.stringMatching(/^opn_/),
      UniqueID: '',
      OrganizationID: organization.id,
      OrganizationMemberID: membership.id,
      ProjectID: project.id,
      ProjectName: project.name,
      DocumentID: document?.id,
      DocumentName: 'a.txt',
      AccessedOn: expect.stringMatching(/^20/),
    },
  ]);
});

it('lists neither what others opened nor anything to a stranger', async () => {
  const { owner, member, stranger, content, path } = await setUp();
  await member.rest('GET', content);
  expect((await owner.rest('GET', path)).body.RecentlyAccessedDocuments).toEqual([]);
  expect((await stranger.rest('GET', path)).status).toBe(404);
});
