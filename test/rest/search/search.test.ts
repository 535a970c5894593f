import { describe, expect, it } from 'vitest';
import { updateDocument } from '../../../src/domain/documents/document-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { folderLink } from '../../../src/domain/folders/folder-link.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { createSearchTemplate } from '../../../src/domain/search/search-template.ts';
import { newId } from '../../../src/lib/id.ts';
import { counted } from '../../support/database.ts';
import { newDocuments } from '../../support/storage.ts';
import { newMember } from '../../support/world.ts';
import { newRestWorld } from '../fixture.ts';

const ZERO = '0001-01-01T00:00:00Z';

async function setUp() {
  const world = await newRestWorld();
  const { owner, organization, project, document, field } = world;
  await updateDocument(await owner.context(), {
    documentId: document.id,
    fieldValues: [{ fieldId: field.id, values: ['red'] }],
  });
  const base = `/organizations/${organization.id}`;
  const get = (query: Record<string, string> = {}, at = base, person = owner) =>
    person.rest('GET', `${at}/searchResults?${new URLSearchParams(query)}`);
  const names = async (query: Record<string, string>, at = base, person = owner): Promise<string[]> =>
    (await get(query, at, person)).body.SearchResults.map(({ Name }: { Name: string }) => Name);
  return { ...world, base, inProject: `${base}/projects/${project.id}`, get, names };
}

const filters = (...entries: object[]) => ({ metaFieldFilters_json: JSON.stringify(entries) });

describe('GET searchResults with parentId', () => {
  it('has what is in the folder or below it, and nothing for a folder of another project', async () => {
    const { owner, project, inProject, names } = await setUp();
    const ctx = await owner.context();
    const [outer, other] = await createFolders(ctx, {
      projectId: project.id,
      folders: [{ name: 'Outer' }, { name: 'Other' }],
    });
    const [inner] = await createFolders(ctx, {
      projectId: project.id,
      folders: [{ name: 'Inner', parentId: outer?.id as string }],
    });
    const stranger = await newRestWorld();
    const files = [
      { name: 'survey one.txt', folderId: outer?.id as string },
      { name: 'survey two.txt', folderId: inner?.id as string },
      { name: 'survey three.txt', folderId: other?.id as string },
    ];
    await newDocuments(ctx, project.id, files);
    const found = async (parentId: string) =>
      (await names({ keyword: 'survey', contentType: 'Document', parentId }, inProject)).sort();
    expect(await found(outer?.id as string)).toEqual(['survey one.txt', 'survey two.txt']);
    expect(await found(inner?.id as string)).toEqual(['survey two.txt']);
    expect(await found('')).toHaveLength(3);
    expect(await found(stranger.folder.id)).toEqual([]);
  });
});

describe('GET searchResults', () => {
  it('answers flat records, with zero values for members that a kind lacks', async () => {
    const { owner, organization, project, document, folder, get } = await setUp();
    const { status, body } = await get({ keyword: 'document' });
    expect([status, body.PageSize]).toEqual([200, 25]);
    const user = { CreatedByUserEmail: owner.email };
    expect(body.SearchResults).toMatchObject([
      {
        ID: document.id,
        ItemID: document.id,
        DocumentID: document.id,
        ContentType: 'Document',
        ItemType: 'Document',
        AncestorIDs: [folder.id],
        OrganizationID: organization.id,
        ProjectID: project.id,
        ProjectName: 'Quay',
        Name: 'document.txt',
        Tags: ['tag'],
        DocumentFolderID: folder.id,
        DocumentFolderPath: 'Folder',
        DocumentFolderHexColor: '#123456',
        DocumentOrigin: 'UserUpload',
        DueOn: ZERO,
        CompletedOn: ZERO,
        PurgeDate: ZERO,
        Score: expect.any(Number),
        PrimaryDocument: { ID: '', DocumentID: '', CreatedOn: ZERO, PageCount: 0 },
        ...user,
      },
    ]);
    expect(body.SearchResults[0].Score).toBeGreaterThan(0);
    const folders = (await get({ keyword: 'folder', contentType: 'Folder' })).body;
    expect(folders.SearchResults).toMatchObject([
      {
        ID: folder.id,
        ContentType: 'Folder',
        DocumentID: '',
        UniqueID: folderLink(await owner.context(), folder),
        AncestorIDs: [],
        FileSize: 0,
        ...user,
      },
    ]);
  });

  it('accepts the keyword, the kind and the filters of the contract', async () => {
    const { names, project, field, base, inProject } = await setUp();
    const value = (FieldValue: string, more: object = {}) =>
      filters({
        FieldID: `IxF_Text[${field.id}]`,
        FieldType: 'FieldType_Text',
        FieldValue,
        Operator: 'equals',
        ...more,
      });
    const inProjects = (...ids: string[]) =>
      filters(
        ...ids.map((FieldValue) => ({
          fieldId: 'Meta_kw256[ProjectID]',
          fieldValue: FieldValue,
          operator: 'EQUALS',
        })),
      );
    for (const at of [base, inProject]) {
      expect(await names({ keyword: 'said' }, at)).toEqual(['document.txt']);
      expect(await names({ keyword: 'dcoument' }, at)).toEqual(['document.txt']);
      expect(await names({ contentType: 'documents' }, at)).toContain('document.txt');
      expect(await names({ contentType: 'documents' }, at)).not.toContain('Folder');
      expect(await names({ CONTENTTYPE: 'FOLDER' }, at)).toEqual(['Empty', 'Folder']);
      expect(await names({ contentType: 'Task' }, at)).not.toContain('document.txt');
      expect(await names(value('RED'), at)).toEqual(['document.txt']);
      expect(await names(value('re', { Operator: 'startsWith', FieldID: field.id }), at)).toEqual([
        'document.txt',
      ]);
      expect(await names(value('blue'), at)).toEqual([]);
      expect(await names(inProjects(project.id), at)).toEqual(
        expect.arrayContaining(['Folder', 'document.txt']),
      );
      expect(await names(inProjects(project.id, newId('Project')), at)).toEqual([]);
    }
  });

  it('sorts by sortType', async () => {
    const { names, owner, project } = await setUp();
    await newDocuments(await owner.context(), project.id, [{ name: 'a document' }, { name: 'b document' }]);
    const namesSorted = async (query: Record<string, string>) =>
      (await names({ contentType: 'Document', ...query })).filter((name) => name.includes('document'));
    expect(await namesSorted({})).toEqual(['b document', 'a document', 'document.txt']);
    expect(await namesSorted({ sortType: 'name' })).toEqual(['a document', 'b document', 'document.txt']);
    expect(await namesSorted({ sortType: 'Name', sortDescending: 'True' })).toEqual([
      'document.txt',
      'b document',
      'a document',
    ]);
    expect(await namesSorted({ sortType: 'CreatedOn', sortDescending: 'false' })).toEqual([
      'document.txt',
      'a document',
      'b document',
    ]);
    expect((await namesSorted({ sortType: 'ModifiedOn' })).length).toBe(3);
    expect((await namesSorted({ sortType: 'Score', keyword: 'document' })).length).toBe(3);
  });

  it('is paged until a page is empty', async () => {
    const { get, owner, project } = await setUp();
    await newDocuments(
      await owner.context(),
      project.id,
      Array.from({ length: 26 }, (_, index) => ({ name: `paged ${index}` })),
    );
    for (const keyword of ['paged', 'pagde']) {
      const listedNames: string[] = [];
      const sizes: number[] = [];
      for (let cursor: string | undefined; sizes.at(-1) !== 0; ) {
        const { body } = await get({ keyword, ...(cursor === undefined ? {} : { cursor }) });
        listedNames.push(...body.SearchResults.map(({ ID }: { ID: string }) => ID));
        sizes.push(body.SearchResults.length);
        cursor = body.Cursor;
      }
      expect([keyword, sizes, new Set(listedNames).size]).toEqual([keyword, [25, 1, 0], 26]);
    }
  });

  it.each([
    ['a contentType', { contentType: 'Asset' }],
    ['a sortType', { sortType: 'Colour' }],
    ['a flag', { sortDescending: 'maybe' }],
    ['a cursor', { cursor: 'nonsense' }],
    ['text that is not JSON', { metaFieldFilters_json: '[' }],
    ['a value that is not an array', { metaFieldFilters_json: '{}' }],
    ['entries that are not objects', { metaFieldFilters_json: '[null, 7]' }],
    ['an entry without a FieldID', filters({ FieldValue: 'x' })],
    ['a FieldID', filters({ FieldID: 'Meta_text_kw256lc[UserEmail].keyword', FieldValue: 'x' })],
    ['a FieldType', filters({ FieldID: `IxF_Text[${newId('Field')}]`, FieldType: 'Blob', FieldValue: 'x' })],
    ['an Operator', filters({ FieldID: `IxF_Text[${newId('Field')}]`, Operator: 'like', FieldValue: 'x' })],
    ['an entry without a value', filters({ FieldID: `IxF_Text[${newId('Field')}]` })],
    ['a value that is not a string', filters({ FieldID: `IxF_Text[${newId('Field')}]`, FieldValue: 7 })],
    ['a keyword of ten kilobytes', { keyword: 'x'.repeat(10_000) }],
    ['a NUL', { keyword: 'a\0' }],
  ])('answers 400 to an invalid query: %s', async (_, query) => {
    const { get } = await setUp();
    const { status, body } = await get(query as Record<string, string>);
    expect([status, typeof body.message]).toEqual([400, 'string']);
  });

  it('does not disclose invisible objects to members of a restricted project', async () => {
    const { db, owner, organization, project, names, base } = await setUp();
    await updateProject(await owner.context(), { projectId: project.id, access: 'RESTRICTED' });
    const member = await newMember(db, organization.id, 'MEMBER');
    for (const keyword of ['', 'document', 'dcoument', '-x'])
      expect(await names({ keyword }, base, member)).toEqual([]);
  });

  it('needs the same number of statements for any number of results', async () => {
    const { get, owner, project } = await setUp();
    const cost = async () => (await counted(() => get({ contentType: 'Document' }))).statements.length;
    const one = await cost();
    await newDocuments(
      await owner.context(),
      project.id,
      Array.from({ length: 5 }, (_, index) => ({ name: `d${index}`, tags: ['x'] })),
    );
    expect(await cost()).toBe(one);
  });
});

describe('GET searchTemplates', () => {
  it('lists the saved searches of the caller, with the member names of the contract', async () => {
    const { db, owner, organization, project, field, base } = await setUp();
    const filter = {
      kind: 'DOCUMENT' as const,
      projectIds: [project.id],
      fields: [{ fieldId: field.id, value: 'red' }],
    };
    const ctx = await owner.context();
    const saved = await createSearchTemplate(ctx, {
      organizationId: organization.id,
      name: 'Red Ones',
      query: 'doc',
      filter,
    });
    await createSearchTemplate(ctx, { organizationId: organization.id, projectId: project.id, name: 'Here' });
    const { body } = await owner.rest('GET', `${base}/searchTemplates`);
    const entries = [
      {
        FieldID: 'Meta_kw256[ProjectID]',
        FieldType: 'FieldType_Text',
        FieldValue: project.id,
        Operator: 'equals',
      },
      {
        FieldID: `IxF_Text[${field.id}]`,
        FieldType: 'FieldType_Text',
        FieldValue: 'red',
        Operator: 'equals',
      },
    ];
    expect(body.SearchTemplates.slice(-2)).toMatchObject([
      {
        ID: saved.id,
        OrganizationID: organization.id,
        ProjectID: '',
        Name: 'Red Ones',
        NameLower: 'red ones',
        ContentType: 'Document',
        Keyword: 'doc',
        MetaFieldFilters: entries,
        ModifiedOn: ZERO,
        CreatedByUserID: owner.id,
      },
      { ProjectID: project.id, Name: 'Here', ContentType: '', Keyword: '', MetaFieldFilters: [] },
    ]);
    const replayed = new URLSearchParams({ keyword: 'doc', contentType: 'Document', ...filters(...entries) });
    const results = await owner.rest('GET', `${base}/searchResults?${replayed}`);
    expect(results.body.SearchResults.map(({ Name }: { Name: string }) => Name)).toEqual(['document.txt']);
    const member = await newMember(db, organization.id, 'ADMIN');
    expect((await member.rest('GET', `${base}/searchTemplates`)).body.SearchTemplates).toEqual([]);
  });
});
