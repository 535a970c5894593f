import { describe, expect, it } from 'vitest';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

describe('the membership of the caller in one organization over REST v1', () => {
  it('is one object, with a list of it beside', async () => {
    const { owner, organization } = await newWorld();
    const path = `/organizationMembershipPackages/${organization.id}`;
    const { body } = await owner.rest('GET', path);
    const { OrganizationMembershipPackages, Cursor, PageSize, ...own } = body;
    expect(own).toMatchObject({ UserID: owner.id, IsAdmin: true, Organization: { ID: organization.id } });
    expect([OrganizationMembershipPackages, Cursor, PageSize]).toEqual([[own], 'end', 0]);
    const after = (await owner.rest('GET', `${path}?cursor=end`)).body;
    expect(after).toEqual({ ...body, OrganizationMembershipPackages: [] });
  });
});

describe('the projects of the caller with their membership over REST v1', () => {
  it('are those in which they take part, added or not', async () => {
    const { db, owner, stranger, organization, project } = await newWorld();
    const ctx = await owner.context();
    const projects = ['Joined', 'Hidden'].map((name) => ({ name, access: 'RESTRICTED' as const }));
    const [joined] = await createProjects(ctx, { organizationId: organization.id, projects });
    const member = await newMember(db, organization.id, 'MEMBER');
    const id = await joinProject(db, joined as never, member, 'ADMIN');
    const path = `/organizations/${organization.id}/projectMembershipPackages`;
    const { body } = await member.rest('GET', path);
    const membership = await db.prisma.membership.findFirstOrThrow({ where: { userId: member.id } });
    const common = {
      ...{ OrganizationID: organization.id, OrganizationMemberID: membership.id, UserID: member.id },
    };
    expect(body.ProjectMembershipPackages).toMatchObject([
      {
        ...{ ...common, IsAdmin: false, Project: { ID: project.id, Name: project.name } },
        ProjectMember: { ID: '', UserEmail: member.email, ProjectID: project.id, IsAdmin: false },
      },
      {
        ...{ ...common, IsAdmin: true, Project: { ID: joined?.id, Name: 'Joined' } },
        ProjectMember: { ID: id, UserEmail: member.email, ProjectID: joined?.id, IsAdmin: true },
      },
    ]);
    expect((await owner.rest('GET', path)).body.ProjectMembershipPackages).toHaveLength(3);
    expect((await stranger.rest('GET', path)).status).toBe(404);
  });
});

describe('the rights of the caller in an organization over REST v1', () => {
  it('name their membership, and guests as readers', async () => {
    const { db, owner, organization } = await newWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    const path = `/organizations/${organization.id}/permissions`;
    const members = await db.prisma.membership.findMany({ where: { organizationId: organization.id } });
    const memberId = (userId: string) => members.find((each) => each.userId === userId)?.id;
    expect((await owner.rest('GET', path)).body).toMatchObject({
      ...{ OrganizationMemberID: memberId(owner.id), IsReadOnly: false, IsAdmin: true, Disabled: false },
    });
    expect((await guest.rest('GET', path)).body).toMatchObject({
      ...{ OrganizationMemberID: memberId(guest.id), IsReadOnly: true, IsAdmin: false, Disabled: false },
    });
  });
});
