import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { newDocuments } from '../../support/storage.ts';
import { newMember, newWorld } from '../../support/world.ts';

describe('the rights of the caller over REST v1', () => {
  it('distinguish administrators, and are not found for strangers', async () => {
    const { db, owner, stranger, organization } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const path = `/organizations/${organization.id}/permissions`;
    expect((await owner.rest('GET', path)).body).toMatchObject({ UserEmail: owner.email, IsAdmin: true });
    expect((await member.rest('GET', path)).body).toMatchObject({ UserEmail: member.email, IsAdmin: false });
    expect((await stranger.rest('GET', path)).status).toBe(404);
    expect((await member.rest('GET', '/supportAdmin')).body).toBe('false');
  });
});

describe('the thumbnail of a document over REST v1', () => {
  it('is a URL as plain text, or empty without an image', async () => {
    const { owner, stranger, organization, project } = await newWorld();
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'a.txt' }]);
    const path = `/organizations/${organization.id}/projects/${project.id}/documents/${document?.id}/thumbnails`;
    const { status, body, headers } = await owner.rest('GET', path);
    expect([status, body, headers.get('content-type')]).toEqual([
      200,
      '',
      expect.stringMatching(/^text\/plain/),
    ]);
    expect((await stranger.rest('GET', path)).status).toBe(404);
  });
});

describe('the address book over REST v1', () => {
  it('has the people of the organizations of the caller, and no others', async () => {
    const { db, owner, stranger, organization } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const guest = await newMember(db, organization.id, 'GUEST');
    const emails = async (query = '', who = owner) =>
      (await who.rest('GET', `/user/addressBookItems${query}`)).body.map(
        ({ EmailLower }: { EmailLower: string }) => EmailLower,
      );
    expect(await emails()).toEqual([member.email, guest.email].sort());
    expect(await emails(`?filter=${member.email.slice(0, 9).toUpperCase()}`)).toEqual([member.email]);
    expect(await emails('?includeTenantMembers=False')).toEqual([]);
    expect(await emails('', guest)).toEqual([]);
    expect(await emails('', stranger)).toEqual([]);
    await db.prisma.user.update({ where: { id: guest.id }, data: { disabledAt: new Date() } });
    expect(await emails()).toEqual([member.email]);
  });
});

describe('hidden people of the address book', () => {
  const read = async (person: Awaited<ReturnType<typeof newMember>>, args = '') => {
    const { data } = await person.graph(`{ viewer { addressBook${args} { email } } }`);
    return data.viewer.addressBook.map(({ email }: { email: string }) => email);
  };
  const setUp = async () => {
    const world = await newWorld();
    const { db, owner, organization } = world;
    const member = await newMember(db, organization.id, 'MEMBER');
    const colleague = await newMember(db, organization.id, 'MEMBER');
    const emails = [member.email, colleague.email].sort();
    return { ...world, owner: owner as typeof member, member, colleague, emails };
  };

  it('are those that DELETE names, for the caller only', async () => {
    const { owner, member, colleague } = await setUp();
    const body = { IDs: [member.email.toUpperCase()] };
    for (let times = 0; times < 2; times++)
      expect((await owner.rest('DELETE', '/user/addressBookItems', body)).status).toBe(200);
    expect([await read(owner), await read(owner, '(hidden: true)')]).toEqual([
      [colleague.email],
      [member.email],
    ]);
    expect(await read(colleague)).toEqual([owner.email, member.email].sort());
  });

  it('are all for DELETE without a body; who joins later is listed, and showContacts shows people again', async () => {
    const { db, owner, organization, member, emails } = await setUp();
    expect((await owner.rest('DELETE', '/user/addressBookItems')).status).toBe(200);
    const late = await newMember(db, organization.id, 'MEMBER');
    expect((await owner.rest('GET', '/user/addressBookItems')).body).toMatchObject([
      { EmailLower: late.email },
    ]);
    expect(await read(owner, '(hidden: true)')).toEqual(emails);
    const show =
      'mutation ($input: ShowContactsInput!) { showContacts(input: $input) { addressBook { email } } }';
    const { data } = await owner.graph(show, { input: { emails: [member.email] } });
    expect(data.showContacts.addressBook).toHaveLength(2);
    await owner.graph(show, { input: {} });
    expect(await read(owner)).toEqual([...emails, late.email].sort());
  });

  it('include nobody whom the caller does not see, and the error names the position', async () => {
    const { owner, stranger, member } = await setUp();
    const body = { IDs: [member.email, stranger.email] };
    const answer = await owner.rest('DELETE', '/user/addressBookItems', body);
    expect([answer.status, answer.body.at]).toEqual([404, 'IDs.1']);
    expect(await read(owner, '(hidden: true)')).toEqual([]);
  });
});

describe('one preference over REST v1', () => {
  it('is read as each type, and has the zero values if it is not stored', async () => {
    const { owner, stranger } = await newWorld();
    const at = (name: string) => `/user/preferences/${name}?singleUserPreferenceId=${name}`;
    const body = { ID: 'ZoomLevel', IntValue: 120 };
    const record = { StringValue: '120', BoolValue: false, IntValue: 120, FloatValue: 120 };
    expect((await owner.rest('PUT', at('ZoomLevel'), body)).body).toMatchObject(record);
    expect((await owner.rest('GET', at('ZoomLevel'))).body).toMatchObject({ ID: 'ZoomLevel', ...record });
    expect((await stranger.rest('GET', at('ZoomLevel'))).body).toMatchObject({
      StringValue: '',
      IntValue: 0,
      UserEmail: stranger.email,
    });
    const refused = await owner.rest('PUT', at('a%20b'), { StringValue: 'x' });
    expect([refused.status, refused.body.at]).toEqual([400, 'singleUserPreferenceId']);
  });
});

describe('preferences over REST v1', () => {
  it('are stored by name and person, and removed by an empty value', async () => {
    const { owner, stranger } = await newWorld();
    const put = (body: object) => owner.rest('PUT', '/user/preferences', body);
    expect((await put({ ID: 'ViewType', StringValue: 'List' })).body.ViewType).toBe('List');
    expect((await put({ ID: 'SinglePagePreview', BoolValue: true })).body).toMatchObject({
      ViewType: 'List',
      SinglePagePreview: true,
      UserEmail: owner.email,
    });
    expect((await stranger.rest('GET', '/user/preferences')).body.ViewType).toBe('');
    expect((await put({ ID: 'SinglePagePreview', BoolValue: false })).body.SinglePagePreview).toBe(false);
    for (const ID of ['', 'a b', 'x'.repeat(101)])
      expect((await put({ ID, StringValue: 'x' })).status).toBe(400);
    expect((await put({ StringValue: 'x' })).status).toBe(400);
  });

  it('are at most 100', async () => {
    const { owner } = await newWorld();
    const preferences = Array.from({ length: 100 }, (_, index) => ({ name: `p${index}`, value: 'x' }));
    const text = `mutation ($input: UpdatePreferencesInput!) { updatePreferences(input: $input) { preferences { name } } }`;
    const { data } = await owner.graph(text, { input: { preferences } });
    expect(data.updatePreferences.preferences).toHaveLength(100);
    expect((await owner.rest('PUT', '/user/preferences', { ID: 'more', StringValue: 'x' })).status).toBe(409);
    expect((await owner.rest('PUT', '/user/preferences', { ID: 'p1', StringValue: 'y' })).status).toBe(200);
  });
});

describe('the log of clients over REST v1', () => {
  it('stores the newest 100 lines of a person, of limited length', async () => {
    const { db, owner, stranger } = await newWorld();
    const post = (body: object) => owner.rest('POST', '/logs', body);
    expect((await post({})).status).toBe(400);
    expect((await post({ Value1: 'x'.repeat(2_001) })).status).toBe(400);
    await db.prisma.clientLog.createMany({
      data: Array.from({ length: 100 }, () => ({
        id: newId('ClientLog'),
        userId: owner.id,
        header: '',
        values: ['old'],
      })),
    });
    expect((await post({ Header: 'Viewer', Value1: 'new', Value2: 'two' })).status).toBe(200);
    const logs = async (who = owner) =>
      (await who.graph('{ viewer { clientLogs { header values } } }')).data.viewer.clientLogs;
    const lines = await logs();
    expect([lines.length, lines[0]]).toEqual([100, { header: 'Viewer', values: ['new', 'two', ''] }]);
    expect(await db.prisma.clientLog.count({ where: { userId: owner.id } })).toBe(100);
    expect(await logs(stranger)).toEqual([]);
  });
});
