import { expect, it } from 'vitest';
import { sql } from '../../../../src/db/sql/sql.ts';
import { newId } from '../../../../src/lib/id.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const QUERY = `query ($id: ID!) { organization(id: $id) { storageUse { documents recycled revisions files bytes pages } } }`;

it('what an organization stores is counted, for its owners and admins', async () => {
  const { db, owner, organization, project } = await newWorld();
  const organizationId = organization.id;
  const [admin, member] = [
    await newMember(db, organizationId, 'ADMIN'),
    await newMember(db, organizationId, 'MEMBER'),
  ];
  const use = async (person: Person) =>
    (await person.graph(QUERY, { id: organizationId })).data.organization.storageUse;
  expect(await use(owner)).toEqual({ documents: 0, recycled: 0, revisions: 0, files: 0, bytes: 0, pages: 0 });
  const blobs = [
    { id: newId('Blob'), size: 3_000_000_000n, pageCount: 12 },
    { id: newId('Blob'), size: 5n, pageCount: null },
  ];
  for (const [index, blob] of blobs.entries())
    await db.prisma.blob.create({
      data: {
        ...blob,
        organizationId,
        sha256: new Uint8Array(32).fill(index),
        contentType: 'application/pdf',
      },
    });
  expect(await use(owner)).toMatchObject({ files: 2, bytes: 3_000_000_005, pages: 12 });
  expect(await use(admin)).toEqual(await use(owner));
  expect(await use(member)).toBeNull();
  await db.query(sql`DELETE FROM blobs b WHERE b.organization_id = ${organizationId} RETURNING b.id`);
  expect(project.id).toBeTruthy();
});
