import { describe, expect, it } from 'vitest';
import { createProcesses } from '../../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../../src/domain/approvals/process-start.ts';
import { acceptInvitation } from '../../../src/domain/membership/invitation-change.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { counted } from '../../support/database.ts';
import { newDocuments } from '../../support/storage.ts';
import { newMember, newPerson, newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const base = `/organizations/${organization.id}/projects/${project.id}`;
  return { ...world, ctx: await owner.context(), base };
}

describe('counts over REST v1', () => {
  it('are plain integers, of objects that are visible to the caller', async () => {
    const { db, owner, organization, ctx, project, base } = await setUp();
    const documents = await newDocuments(ctx, project.id, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    await db.prisma.document.updateMany({ where: { projectId: project.id }, data: { pageCount: 7 } });
    await owner.rest('POST', `${base}/documentActions/sendToRecycleBin`, { IDs: [documents[0]?.id] });
    const count = async (what: string, person = owner) =>
      (await person.rest('GET', `${base}/counts/${what}`)).body;
    expect([
      await count('documents'),
      await count('documents?ignoreRecycleBin=True&ignoreInbox=true'),
      await count('recycleBinDocuments'),
      await count('pages'),
    ]).toEqual([3, 2, 1, 14]);
    await owner.rest('PUT', base, { AccessType: 'MembersOnlyAssignments_MemberContentByAssignment' });
    const member = await newMember(db, organization.id, 'MEMBER');
    expect((await member.rest('GET', `${base}/counts/pages`)).status).toBe(404);
    await owner.rest('POST', `${base}/members`, [{ UserEmail: member.email }]);
    expect([await count('documents', member), await count('pages', member)]).toEqual([0, 0]);
  });
});

describe('the events of a document over REST v1', () => {
  it('are listed in both orders, with comments, and changes in the details', async () => {
    const { owner, ctx, project, base } = await setUp();
    const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
    const path = `${base}/documents/${document?.id}`;
    await owner.rest('PUT', path, { Name: 'b.txt' });
    const commented = await owner.rest('POST', `${path}/comments`, { Comments: ['one', 'two'] });
    expect(commented.body).toMatchObject([
      { DocumentID: document?.id, Type: 'Comment', DetailJson: '{"Text":"one"}' },
      { DetailJson: '{"Text":"two"}' },
    ]);
    const { body } = await owner.rest('GET', `${path}/events`);
    const [, , changed] = body.DocumentEvents;
    expect(body.DocumentEvents.map(({ Type }: { Type: string }) => Type)).toEqual([
      'Comment',
      'Comment',
      changed.Type,
      'Created',
    ]);
    expect(JSON.parse(changed.DetailJson)).toMatchObject({
      Before: { name: 'a.txt' },
      After: { name: 'b.txt' },
    });
    const oldest = await owner.rest('GET', `${path}/events?sortDescending=False`);
    expect(oldest.body.DocumentEvents[0].Type).toBe('Created');
    expect((await owner.rest('GET', `${path}/events?cursor=${body.Cursor}`)).body.DocumentEvents).toEqual([]);
    for (const Comments of [[''], 'x', [7]])
      expect((await owner.rest('POST', `${path}/comments`, { Comments })).status).toBe(400);
  });
});

describe('members over REST v1', () => {
  it('of an organization are invited, and listed as disabled until they accept', async () => {
    const { db, owner, organization } = await setUp();
    const path = `/organizations/${organization.id}/members`;
    const person = await newPerson(db);
    const [invited] = (await owner.rest('POST', path, [{ useremail: person.email, IsReadOnly: 'True' }]))
      .body;
    expect(invited).toMatchObject({
      UserEmail: person.email,
      Disabled: true,
      IsReadOnly: true,
      IsAdmin: false,
    });
    expect((await owner.rest('GET', path)).body).toMatchObject([
      { UserEmail: owner.email, Disabled: false },
      { ID: invited.ID, UserEmail: person.email, Disabled: true },
    ]);
    await acceptInvitation(await person.context(), { invitationId: invited.ID });
    expect((await owner.rest('GET', path)).body).toMatchObject([
      { UserEmail: owner.email, IsAdmin: true, OrganizationName: 'Harbor' },
      { UserEmail: person.email, IsReadOnly: true, Disabled: false },
    ]);
    const again = await owner.rest('POST', path, [{ UserEmail: person.email }]);
    expect([again.status, again.body]).toMatchObject([200, [{ UserID: person.id, IsReadOnly: true }]]);
    expect(
      (await owner.rest('POST', path, [{ UserEmail: 'a@b.test', IsAdmin: true, IsReadOnly: true }])).status,
    ).toBe(400);
  });

  it('of a project are added with the role of the flags, and listed', async () => {
    const { db, owner, organization, project, base } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const admin = await newMember(db, organization.id, 'MEMBER');
    const added = await owner.rest('POST', `${base}/members`, [
      { UserEmail: member.email, IsReadOnly: true },
      { UserEmail: admin.email, IsAdmin: true },
    ]);
    expect(added.body).toMatchObject([
      { UserID: member.id, ProjectID: project.id, IsReadOnly: true, OrganizationMemberIsAdmin: false },
      { UserID: admin.id, IsAdmin: true, OrganizationName: 'Harbor', ProjectName: 'Quay' },
    ]);
    const listed = await owner.rest('GET', `${base}/members`);
    expect(listed.body.ProjectMembers).toEqual(added.body);
    const stranger = await newPerson(db);
    expect((await owner.rest('POST', `${base}/members`, [{ UserEmail: stranger.email }])).status).toBe(404);
    expect((await member.rest('POST', `${base}/members`, [{ UserEmail: owner.email }])).status).toBe(403);
  });
});

describe('the statements of a list of members', () => {
  it('are the same number for one member and for several', async () => {
    const { db, owner, organization, base } = await setUp();
    const add = async () => {
      const { email } = await newMember(db, organization.id, 'MEMBER');
      await owner.rest('POST', `${base}/members`, [{ UserEmail: email }]);
    };
    const cost = async () =>
      (await counted(() => owner.rest('GET', `${base}/members`))).statements
        .map((each) => each.slice(0, 40))
        .sort();
    await add();
    const one = await cost();
    await add();
    await add();
    expect(await cost()).toEqual(one);
  });
});

describe('organizations and the caller over REST v1', () => {
  it('creates organizations, all or none, and counts their owner immediately', async () => {
    const { owner } = await setUp();
    const created = await owner.rest('POST', '/organizations', [{ Name: 'A' }, { Name: 'B' }]);
    expect(created.body).toMatchObject([
      { Name: 'A', UniqueNonReadOnlyOrganizationMembers: 1, CreatedByUserEmail: owner.email },
      { Name: 'B' },
    ]);
    expect((await owner.rest('POST', '/organizations', [{ Name: 'C' }, { Name: ' ' }])).status).toBe(400);
    expect((await owner.rest('GET', '/organizations')).body.Organizations).toHaveLength(3);
  });

  it('deletes projects, which are then not found', async () => {
    const { owner, organization, project, base } = await setUp();
    const path = `/organizations/${organization.id}/projects`;
    expect((await owner.rest('DELETE', path, { IDs: [project.id] })).status).toBe(200);
    expect((await owner.rest('GET', path)).body.Projects).toEqual([]);
    expect((await owner.rest('GET', `${base}/documents`)).status).toBe(404);
  });

  it('shows and changes the profile', async () => {
    const { owner } = await setUp();
    const { body } = await owner.rest('PUT', '/user/profile', { UserName: '  Tove  ' });
    expect(body).toEqual({
      UserProvider: 'email',
      UserEmail: owner.email,
      UserName: 'Tove',
      UserNameOverride: '',
      UserPhone: '',
      OTPSMSNumber: '',
    });
    expect((await owner.rest('GET', '/user/profile')).body).toEqual(body);
    for (const UserName of ['', 'a\u0007', 7, null])
      expect((await owner.rest('PUT', '/user/profile', { UserName })).status).toBe(400);
    const { data } = await owner.graph('{ viewer { securityEvents(first: 1) { nodes { kind } } } }');
    expect(data.viewer.securityEvents.nodes).toEqual([{ kind: 'profile.renamed' }]);
  });

  it('lists where the caller has pending work, and their organizations', async () => {
    const { db, owner, organization, project, ctx } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const organizations = async () => (await member.rest('GET', '/user/organizations')).body;
    expect(await organizations()).toMatchObject([
      { OrganizationID: organization.id, AssignmentTypes: ['OrganizationMember'], HasAssignment: false },
    ]);
    await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Do', assigneeEmail: member.email }] });
    const [document] = await newDocuments(ctx, project.id, [{ name: 'a' }]);
    const [process] = await createProcesses(ctx, {
      projectId: project.id,
      processes: [{ name: 'P', steps: [{ name: 'S', approverIds: [member.id] }] }],
    });
    await startProcess(ctx, { processId: process?.id as string, itemIds: [document?.id as string] });
    const AssignmentTypes = ['OrganizationMember', 'Task', 'Approval'];
    expect(await organizations()).toMatchObject([{ AssignmentTypes, HasAssignment: true }]);
    const path = `/user/organizations/${organization.id}/projects`;
    expect((await member.rest('GET', path)).body.UserOrganizationProjects).toMatchObject([
      { ProjectID: project.id, HasAssignment: true },
    ]);
    expect((await owner.rest('GET', path)).body.UserOrganizationProjects).toMatchObject([
      { HasAssignment: false },
    ]);
    const packages = (await member.rest('GET', `/organizationMembershipPackages/${organization.id}`)).body;
    expect(packages.OrganizationMembershipPackages).toMatchObject([
      { Organization: { Name: 'Harbor' }, OrganizationMember: { UserEmail: member.email }, IsAdmin: false },
    ]);
    expect((await member.rest('GET', '/organizationMembershipPackages')).body).toMatchObject({
      OrganizationMembershipPackages: packages.OrganizationMembershipPackages,
    });
  });
});

describe('the choices of a field as a CSV file over REST v1', () => {
  const file = (lines: string) => ({ text: lines });

  it('are exported as CSV, and replaced by an imported file', async () => {
    const { owner, base } = await setUp();
    const [field] = (
      await owner.rest('POST', `${base}/fields`, [
        { Name: 'Colour', Type: 'FieldType_Text', DisplaySelectionList: true },
      ])
    ).body;
    const path = `${base}/fields/${field.ID}/listItems`;
    const replace = (text: string) => owner.rest('POST', `${path}?type=file`, undefined, file(text));
    expect((await replace('red\r\nblue, dark\n\n"say ""hi"""\nred\n')).status).toBe(200);
    const listed = (await owner.rest('GET', path)).body.map(({ Value }: { Value: string }) => Value);
    expect(listed).toEqual(['red', 'blue, dark', 'say "hi"']);
    const flat = await owner.rest('GET', `${path}?getAllAsFlatFile=True`);
    expect(flat.body).toBe('red\n"blue, dark"\n"say ""hi"""\n');
    expect(flat.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await replace(flat.body)).status).toBe(200);
    expect((await owner.rest('GET', `${path}?getAllAsFlatFile=true`)).body).toBe(flat.body);
    expect((await replace('')).status).toBe(200);
    expect((await owner.rest('GET', path)).body).toEqual([]);
  });

  it('are exported with formulas escaped, and imported unchanged', async () => {
    const { owner, base } = await setUp();
    const [field] = (
      await owner.rest('POST', `${base}/fields`, [
        { Name: 'Formula', Type: 'FieldType_Text', DisplaySelectionList: true },
      ])
    ).body;
    const path = `${base}/fields/${field.ID}/listItems`;
    const values = ['=1+1', 'a;=cmd', '\uff0dx', '-5', "'=quoted", 'one\n@two'];
    await owner.rest(
      'POST',
      path,
      values.map((Value) => ({ Value })),
    );
    const flat = await owner.rest('GET', `${path}?getAllAsFlatFile=true`);
    expect(flat.body).toBe("'=1+1\na;'=cmd\n'\uff0dx\n-5\n''=quoted\n\"one\n'@two\"\n");
    expect((await owner.rest('POST', `${path}?type=file`, undefined, file(flat.body))).status).toBe(200);
    const listed = (await owner.rest('GET', path)).body.map(({ Value }: { Value: string }) => Value);
    expect(listed).toEqual(values);
  });

  it('are refused as a whole with 400, and with 404 for strangers', async () => {
    const { owner, stranger, base } = await setUp();
    const [field] = (
      await owner.rest('POST', `${base}/fields`, [
        { Name: 'Colour', Type: 'FieldType_Text', DisplaySelectionList: true },
      ])
    ).body;
    const path = `${base}/fields/${field.ID}/listItems`;
    await owner.rest('POST', path, [{ Value: 'kept' }]);
    const many = Array.from({ length: 10_001 }, (_, index) => index).join('\n');
    for (const text of ['a"b', '"open', 'a\u0000b', many])
      expect((await owner.rest('POST', `${path}?type=file`, undefined, file(text))).status).toBe(400);
    expect((await stranger.rest('POST', `${path}?type=file`, undefined, file('x'))).status).toBe(404);
    expect((await owner.rest('GET', `${path}?getAllAsFlatFile=true`)).body).toBe('kept\n');
  });
});
