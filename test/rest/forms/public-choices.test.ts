import { describe, expect, it } from 'vitest';
import { newMember } from '../../support/world.ts';
import { newRestWorld } from '../fixture.ts';

describe('choices of a form field over REST v1', () => {
  it('are added or replaced only by admins of the project, and not with the link of the form', async () => {
    const { db, owner, stranger, organization, project, field, params } = await newRestWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const path = `/formTemplatesPublic/${params.formTemplateId}/fields/${params.formTemplateFieldId}/listItems`;
    const values = async () => {
      const rows = await db.prisma.fieldListItem.findMany({
        where: { fieldId: field.id },
        orderBy: { rank: 'asc' },
      });
      return rows.map(({ value }) => value);
    };
    const post = (who: typeof owner, query = '') => who.rest('POST', path + query, [{ Value: 'green' }]);
    expect((await post(member)).status).toBe(403);
    expect((await post(stranger)).status).toBe(404);
    expect((await post(owner, '?tenantId=none')).status).toBe(404);
    expect(await values()).toEqual(['red']);
    expect((await post(owner, `?tenantId=${project.id}`)).status).toBe(200);
    expect(await values()).toEqual(['red', 'green']);
    const file = await owner.rest('POST', `${path}?type=file`, undefined, { text: 'blue\nblack' });
    expect([file.status, await values()]).toEqual([200, ['blue', 'black']]);
  });
});
