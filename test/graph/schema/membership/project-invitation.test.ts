import { describe, expect, it } from 'vitest';
import { acceptInvitation, declineInvitation } from '../../../../src/domain/membership/invitation-change.ts';
import { inviteMembers } from '../../../../src/domain/membership/invitation-create.ts';
import { updateMember } from '../../../../src/domain/membership/member-change.ts';
import { addProjectMembers } from '../../../../src/domain/membership/project-member-add.ts';
import type { OrganizationRole } from '../../../../src/generated/prisma/client.ts';
import { joinProject, newMember, newPerson, newWorld, type Person } from '../../../support/world.ts';

const ADD = `mutation ($input: AddProjectMembersInput!) { addProjectMembers(input: $input) {
  members { user { email } } invitations { id invitationId email role createdBy { email } } } }`;
const LIST = `query ($id: ID!, $filter: ProjectInvitationFilter) { project(id: $id) {
  invitations(filter: $filter) { totalCount nodes { email role } } members { nodes { role user { email } } } } }`;
const REMOVE = `mutation ($input: RemoveProjectInvitationsInput!) {
  removeProjectInvitations(input: $input) { projectInvitationIds } }`;

async function invitedWorld(role: OrganizationRole = 'MEMBER') {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const person = await newPerson(db);
  const ctx = await owner.context();
  const {
    invitations: [invitation],
  } = await inviteMembers(ctx, {
    organizationId: organization.id,
    members: [{ email: person.email, role }],
  });
  const invitationId = invitation?.id as string;
  const add = (by: Person, ...members: object[]) =>
    by.graph(ADD, { input: { projectId: project.id, members } });
  return { ...world, ctx, person, invitationId, add };
}

const code = ({ errors }: { errors?: { message: string; extensions: { code: string } }[] }) =>
  errors?.[0]?.extensions.code;

describe('people who are invited', () => {
  it.each([
    'email',
    'invitationId',
  ])('are added to a project by %s, and join it when they accept', async (key) => {
    const { db, owner, organization, project, person, invitationId, add } = await invitedWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const name = key === 'email' ? { email: person.email.toUpperCase() } : { invitationId };
    const { data } = await add(
      owner,
      { person: name, role: 'ADMIN' },
      { person: { userId: member.id }, role: 'VIEWER' },
    );
    expect(data.addProjectMembers).toEqual({
      members: [{ user: { email: member.email } }],
      invitations: [
        {
          id: expect.stringMatching(/^pin_/),
          invitationId,
          email: person.email,
          role: 'ADMIN',
          createdBy: { email: owner.email },
        },
      ],
    });
    const list = async (by: Person, filter?: object) =>
      (await by.graph(LIST, { id: project.id, filter })).data.project;
    expect((await list(owner)).invitations.nodes).toEqual([{ email: person.email, role: 'ADMIN' }]);
    expect((await list(owner, { emails: ['other@example.test'] })).invitations.nodes).toEqual([]);
    expect((await list(member)).invitations).toEqual({ totalCount: 0, nodes: [] });
    expect(await list(person)).toBeNull();
    await acceptInvitation(await person.context(), { invitationId });
    const { invitations, members } = await list(person);
    expect(invitations.nodes).toEqual([]);
    expect(members.nodes).toContainEqual({ role: 'ADMIN', user: { email: person.email } });
    const kinds = await db.prisma.event.findMany({
      where: { subjectId: person.id },
      orderBy: { sequence: 'asc' },
    });
    expect(kinds.map(({ kind }) => kind)).toEqual(['member.added', 'projectMember.added']);
  });

  it('are found by owners and admins alone, who name each person once and in one way', async () => {
    const { db, owner, organization, project, person, invitationId, add, stranger } = await invitedWorld();
    const lead = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, lead, 'ADMIN');
    const viewer = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, viewer, 'VIEWER');
    const member = { person: { email: person.email }, role: 'EDITOR' };
    expect(code(await add(lead, member))).toBe('NOT_FOUND');
    expect(code(await add(viewer, member))).toBe('FORBIDDEN');
    expect(code(await add(stranger, member))).toBe('NOT_FOUND');
    expect(code(await add(owner, { ...member, person: { ...member.person, invitationId } }))).toBe(
      'BAD_USER_INPUT',
    );
    expect(code(await add(owner, { person: {}, role: 'EDITOR' }))).toBe('BAD_USER_INPUT');
    expect(code(await add(owner, member, { person: { invitationId }, role: 'EDITOR' }))).toBe(
      'BAD_USER_INPUT',
    );
    expect(await db.prisma.projectInvitation.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('and were added before are named, with their position', async () => {
    const { db, owner, organization, person, add } = await invitedWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const fresh = await newMember(db, organization.id, 'MEMBER');
    const people = [
      { person: { email: person.email }, role: 'EDITOR' },
      { person: { email: member.email }, role: 'EDITOR' },
    ];
    await add(owner, ...people);
    for (const each of people) {
      const { errors } = await add(owner, { person: { email: fresh.email }, role: 'EDITOR' }, each);
      expect(errors).toMatchObject([
        {
          message: `${each.person.email} was added before.`,
          extensions: { code: 'CONFLICT', at: 'members.1' },
        },
      ]);
    }
  });

  it('as guests can only be viewers', async () => {
    const { owner, person, add } = await invitedWorld('GUEST');
    expect(code(await add(owner, { person: { email: person.email }, role: 'EDITOR' }))).toBe('CONFLICT');
    expect(code(await add(owner, { person: { email: person.email }, role: 'VIEWER' }))).toBeUndefined();
  });

  it('are removed again, and leave nothing when they decline or who added them loses the right', async () => {
    const { db, ctx, owner, organization, project, person, invitationId, add, stranger } =
      await invitedWorld();
    const left = () => db.prisma.projectInvitation.count({ where: { projectId: project.id } });
    const member = { person: { email: person.email }, role: 'EDITOR' as const };
    const { data } = await add(owner, member);
    const input = { projectId: project.id, projectInvitationIds: [data.addProjectMembers.invitations[0].id] };
    expect(code(await stranger.graph(REMOVE, { input }))).toBe('NOT_FOUND');
    expect(code(await owner.graph(REMOVE, { input }))).toBeUndefined();
    expect(code(await owner.graph(REMOVE, { input }))).toBe('NOT_FOUND');
    const admin = await newMember(db, organization.id, 'ADMIN');
    await addProjectMembers(await admin.context(), { projectId: project.id, members: [member] });
    const { id } = await db.prisma.membership.findFirstOrThrow({ where: { userId: admin.id } });
    await updateMember(ctx, { memberId: id, role: 'MEMBER' });
    expect(await left()).toBe(0);
    await add(owner, member);
    await declineInvitation(await person.context(), { invitationId });
    expect(await left()).toBe(0);
  });

  it('show in the lists of REST v1 as disabled members, by whose ids they are added', async () => {
    const { owner, organization, project, person, db } = await invitedWorld();
    const base = `/organizations/${organization.id}`;
    const all = (await owner.rest('GET', `${base}/members`)).body;
    const invited = all.find((each: { UserEmail: string }) => each.UserEmail === person.email);
    expect(invited).toMatchObject({ Disabled: true, UserID: '' });
    const member = await newMember(db, organization.id, 'MEMBER');
    const path = `${base}/projects/${project.id}/members`;
    const { body } = await owner.rest('POST', path, [
      { OrganizationMemberID: invited.ID, UserEmail: '' },
      { UserID: member.id },
    ]);
    expect(body).toMatchObject([
      { UserEmail: person.email, OrganizationMemberID: invited.ID, Disabled: true },
      { UserEmail: member.email, UserID: member.id, Disabled: false },
    ]);
    const page = (await owner.rest('GET', path)).body;
    expect(page).toMatchObject({
      ProjectMembers: [{ UserEmail: member.email }, { UserEmail: person.email, Disabled: true }],
      Cursor: 'end',
    });
    expect((await owner.rest('GET', `${path}?cursor=end`)).body.ProjectMembers).toEqual([]);
    expect((await member.rest('GET', path)).body.ProjectMembers).toHaveLength(1);
  });
});
