import { describe, expect, it } from 'vitest';
import { newRestWorld } from '../fixture.ts';

const ZERO = '0001-01-01T00:00:00Z';

async function setUp() {
  const world = await newRestWorld();
  const { owner, organization, project } = world;
  const base = `/organizations/${organization.id}/projects/${project.id}`;
  const read = async (path: string) => (await owner.rest('GET', `${base}${path}`)).body;
  return { ...world, base, read };
}

describe('members that the vendor added to records', () => {
  it('of a document have its tags, its folder’s colour, its people by id and the access of its project', async () => {
    const { read, document, folder, owner, base } = await setUp();
    await owner.rest('PUT', `${base}/documents/${document.id}`, { Name: 'renamed.txt' });
    const { Documents } = await read(`/documents?documentFolderId=${folder.id}`);
    expect(Documents).toMatchObject([
      {
        Tags: ['tag'],
        DocumentFolderHexColor: '#123456',
        CreatedByUserID: owner.id,
        ModifiedByUserID: owner.id,
        ProjectAccess: { Assignments: { Tasks: 'World' } },
        FormSubmissionID: '',
      },
    ]);
  });

  it('of a project say when its access was changed last, and not when its name was', async () => {
    const { owner, base, read } = await setUp();
    await owner.rest('PUT', base, { Name: 'Renamed' });
    const renamed = await read('');
    await owner.rest('PUT', base, { AccessType: 'MembersOnlyAssignments_MemberContentByAssignment' });
    const restricted = await read('');
    await owner.rest('PUT', base, { Name: 'Renamed again' });
    expect([renamed.AccessModifiedOn, renamed.AccessTypeModifiedOn]).toEqual([ZERO, ZERO]);
    expect(restricted.AccessModifiedOn).toMatch(/^20/);
    expect(await read('')).toMatchObject({
      AccessModifiedOn: restricted.AccessModifiedOn,
      AccessTypeModifiedOn: restricted.AccessModifiedOn,
    });
  });

  it('of a form name its organization and project beside TenantID', async () => {
    const { read, organization, project } = await setUp();
    const { FormTemplates } = await read('/formTemplates');
    expect(FormTemplates).toMatchObject([
      {
        TenantID: project.id,
        OrganizationID: organization.id,
        ProjectID: project.id,
        ProjectName: project.name,
      },
    ]);
  });

  it('of a search result have the snippets, and the link of a form', async () => {
    const { read, params } = await setUp();
    const { SearchResults } = await read('/searchResults?keyword=document');
    const hit = SearchResults.find(({ ID }: { ID: string }) => ID === params.documentId);
    const [forms, listed] = [await read('/searchResults?contentType=Form'), await read('/formTemplates')];
    expect(hit.Highlights).toContainEqual({
      Part: 'Name',
      Label: '',
      Page: 0,
      Text: 'document.txt',
      Matches: [0, 8],
    });
    expect(forms.SearchResults).toMatchObject([
      { FormTemplateID: params.formTemplateId, FormTemplateUniqueID: listed.FormTemplates[0].UniqueID },
    ]);
  });

  it('of a tag has its id, which the graph has too', async () => {
    const { read, owner, project } = await setUp();
    const { Tags } = await read('/tags');
    const { data } = await owner.graph(
      'query ($id: ID!) { project(id: $id) { tags(first: 5) { nodes { id } } } }',
      {
        id: project.id,
      },
    );
    expect(Tags.map(({ ID }: { ID: string }) => ID)).toEqual(
      data.project.tags.nodes.map(({ id }: { id: string }) => id),
    );
  });
});
