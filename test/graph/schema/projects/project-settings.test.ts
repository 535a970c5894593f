import { describe, expect, it } from 'vitest';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const READ = `query ($id: ID!) { project(id: $id) { version settings { documentRootLabel
  publicFace { primaryColor paperColor folderIconUrl fontFamily fontUrl } } } }`;
const CHANGE = `mutation ($input: UpdateProjectSettingsInput!) { updateProjectSettings(input: $input) { project { id version } } }`;
const EVENTS = `query ($id: ID!) { organization(id: $id) { events(last: 1) { nodes { kind changes { member before after } } } } }`;

const NO_FACE = {
  primaryColor: null,
  paperColor: null,
  folderIconUrl: null,
  fontFamily: null,
  fontUrl: null,
};
const FACE = {
  primaryColor: '#7a0019',
  paperColor: '#FFF',
  folderIconUrl: 'https://brand.example/folder.svg',
  fontFamily: '"Source Sans 3", sans-serif',
  fontUrl: 'https://brand.example/font.woff2',
};

async function setUp() {
  const world = await newWorld();
  const { owner, project } = world;
  const change = (who: Person, input: object) =>
    who.graph(CHANGE, { input: { projectId: project.id, ...input } });
  const read = async (who: Person, id: string = project.id) => (await who.graph(READ, { id })).data.project;
  const all = await change(owner, { documentRootLabel: 'Archive', publicFace: FACE });
  expect(all.errors).toBeUndefined();
  return { ...world, change, read };
}

const codeOf = ({ errors }: { errors?: { extensions: { code: string; at?: string } }[] }) =>
  errors?.[0]?.extensions;

describe('the settings of a project', () => {
  it('are empty before they are set', async () => {
    const { owner, project } = await newWorld();
    expect((await owner.graph(READ, { id: project.id })).data.project).toEqual({
      version: 1,
      settings: { documentRootLabel: null, publicFace: NO_FACE },
    });
  });

  it('are set, kept where they are left out, and removed by null', async () => {
    const { owner, change, read } = await setUp();
    const settings = { documentRootLabel: 'Archive', publicFace: FACE };
    expect(await read(owner)).toEqual({ version: 2, settings });
    await change(owner, { publicFace: { fontUrl: null } });
    expect((await read(owner)).settings).toEqual({ ...settings, publicFace: { ...FACE, fontUrl: null } });
    await change(owner, { publicFace: null });
    expect((await read(owner)).settings).toEqual({ documentRootLabel: 'Archive', publicFace: NO_FACE });
    await change(owner, { documentRootLabel: null });
    expect((await read(owner)).settings.documentRootLabel).toBeNull();
  });

  it.each([
    [{ publicFace: { primaryColor: 'red' } }, 'publicFace.primaryColor'],
    [{ publicFace: { paperColor: '#fff}body{display:none' } }, 'publicFace.paperColor'],
    [{ publicFace: { fontUrl: 'http://brand.example/font.woff2' } }, 'publicFace.fontUrl'],
    [{ publicFace: { fontUrl: 'https://user:secret@brand.example/' } }, 'publicFace.fontUrl'],
    [{ publicFace: { folderIconUrl: 'javascript:alert(1)' } }, 'publicFace.folderIconUrl'],
    [
      { publicFace: { folderIconUrl: `https://brand.example/${'x'.repeat(2_000)}` } },
      'publicFace.folderIconUrl',
    ],
    [{ publicFace: { fontFamily: 'serif; } body { display: none' } }, 'publicFace.fontFamily'],
    [{ publicFace: { fontFamily: '' } }, 'publicFace.fontFamily'],
    [{ documentRootLabel: 'x'.repeat(256) }, 'documentRootLabel'],
  ])('refuse %j', async (input, at) => {
    const { owner, change, read } = await setUp();
    expect(codeOf(await change(owner, input))).toMatchObject({ code: 'BAD_USER_INPUT', at });
    expect((await read(owner)).version).toBe(2);
  });

  it('are changed by admins of the project, and read by all who see it', async () => {
    const { db, member, admin, editor, stranger, project, organization, change, read } = await (async () => {
      const world = await setUp();
      const people = await Promise.all(
        [1, 2, 3].map(() => newMember(world.db, world.organization.id, 'MEMBER')),
      );
      const [member, admin, editor] = people as [Person, Person, Person];
      await joinProject(world.db, world.project, admin, 'ADMIN');
      await joinProject(world.db, world.project, editor, 'EDITOR');
      return { ...world, member, admin, editor };
    })();
    const guest = await newMember(db, organization.id, 'GUEST');
    const input = { documentRootLabel: 'New' };
    expect(codeOf(await change(member, input))?.code).toBe('FORBIDDEN');
    expect(codeOf(await change(editor, input))?.code).toBe('FORBIDDEN');
    for (const who of [guest, stranger]) expect(codeOf(await change(who, input))?.code).toBe('NOT_FOUND');
    expect((await change(admin, input)).errors).toBeUndefined();
    expect((await read(member)).settings.documentRootLabel).toBe('New');
    expect(codeOf(await stranger.graph(READ, { id: project.id }))?.code).toBe('NOT_FOUND');
  });

  it('do not change in another version, nor in a disabled project', async () => {
    const { db, owner, project, change } = await setUp();
    expect(codeOf(await change(owner, { expectedVersion: 1 }))?.code).toBe('CONFLICT');
    await db.prisma.project.update({ where: { id: project.id }, data: { disabledAt: new Date() } });
    expect(codeOf(await change(owner, { documentRootLabel: 'New' }))?.code).toBe('CONFLICT');
  });

  it('record what changed', async () => {
    const { owner, organization, change } = await setUp();
    await change(owner, { documentRootLabel: 'Files', publicFace: { paperColor: '#FFF' } });
    const { nodes } = (await owner.graph(EVENTS, { id: organization.id })).data.organization.events;
    expect(nodes).toEqual([
      {
        kind: 'project.settingsUpdated',
        changes: [{ member: 'documentRootLabel', before: '"Archive"', after: '"Files"' }],
      },
    ]);
  });

  it('go with a copy of the project, which then has its own', async () => {
    const { owner, project, organization, change, read } = await setUp();
    const create = `mutation ($input: CreateProjectsInput!) { createProjects(input: $input) { projects { id } } }`;
    const projects = [{ name: 'Copy', source: { projectId: project.id } }, { name: 'Empty' }];
    const { data } = await owner.graph(create, { input: { organizationId: organization.id, projects } });
    const [copy, empty] = data.createProjects.projects;
    await change(owner, { documentRootLabel: 'Other' });
    expect((await read(owner, copy.id)).settings).toEqual({ documentRootLabel: 'Archive', publicFace: FACE });
    expect((await read(owner, empty.id)).settings.documentRootLabel).toBeNull();
  });
});
