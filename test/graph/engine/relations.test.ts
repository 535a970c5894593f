import { beforeAll, describe, expect, it } from 'vitest';
import { counted } from '../../support/database.ts';
import { mixedRights } from '../../support/mixed-rights.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../support/world.ts';

/** Two documents in a folder. */
async function setUp() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const { data } = await world.owner.graph(
    `mutation ($id: ID!) { createFolders(input: { projectId: $id, folders: [{ name: "In" }] }) { folders { id } } }`,
    { id: world.project.id },
  );
  const folderId: string = data.createFolders.folders[0].id;
  const documents = await newDocuments(ctx, world.project.id, [
    { name: 'a', folderId },
    { name: 'b', folderId },
  ]);
  return { ...world, documents };
}

describe('a to-one relation of a row', () => {
  let people: Person[];
  let projects: string[];

  beforeAll(async () => {
    const world = await mixedRights();
    people = world.people;
    const { data } = await (people[0] as Person).graph(
      `query ($id: ID!) { organization(id: $id) { projects { nodes { id } } } }`,
      { id: world.org },
    );
    projects = data.organization.projects.nodes.map(({ id }: { id: string }) => id);
  });

  const RELATIONS = 'id createdBy { id } modifiedBy { id } project { id }';

  it.each([
    ['documents', `${RELATIONS} folder { id }`],
    ['folders', RELATIONS],
    ['tasks', `${RELATIONS} assignee { id } completedBy { id }`],
  ])('has the same result joined to a short list of %s as loaded separately, for every viewer', async (list, fields) => {
    let compared = 0;
    for (const person of people)
      for (const id of projects) {
        const read = async (first: number) =>
          (
            await person.graph(
              `query ($id: ID!) { project(id: $id) { ${list}(first: ${first}) { nodes { ${fields} } } } }`,
              { id },
            )
          ).data?.project?.[list].nodes ?? [];
        const few = await read(50);
        expect(few).toEqual((await read(51)).slice(0, 50));
        compared += few.length;
      }
    expect(compared).toBeGreaterThan(25);
  });

  it.each([
    ['document', 'documents', `${RELATIONS} folder { id }`],
    ['folder', 'folders', RELATIONS],
    ['task', 'tasks', `${RELATIONS} assignee { id } completedBy { id }`],
  ])('has the same result joined to one %s as loaded after it, for every viewer', async (type, list, fields) => {
    const name = type[0]?.toUpperCase() + type.slice(1);
    for (const person of people) {
      const { data } = await person.graph(
        `query ($id: ID!) { project(id: $id) { ${list}(first: 5) { nodes { id } } } }`,
        { id: projects[0] },
      );
      for (const { id } of data?.project?.[list].nodes ?? []) {
        const joined = await person.graph(`query ($id: ID!) { of: ${type}(id: $id) { ${fields} } }`, { id });
        const separate = await person.graph(
          `query ($id: ID!) { of: node(id: $id) { ... on ${name} { ${fields} } } }`,
          { id },
        );
        expect(joined.errors).toBeUndefined();
        expect(joined).toEqual(separate);
      }
    }
  });

  it('is null if the related object is not visible, although the row is', async () => {
    const { db, owner, organization, project, documents } = await setUp();
    await db.prisma.project.updateMany({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
    const editor = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, editor, 'EDITOR');
    const id = documents[0]?.id as string;
    await db.prisma.documentAssignment.create({
      data: { organizationId: organization.id, documentId: id, email: editor.email },
    });
    const read = (person: Person) =>
      person.graph(
        `query ($id: ID!, $in: ID!) { document(id: $id) { name folder { name } }
          project(id: $in) { documents { nodes { name folder { name } } } } }`,
        { id, in: project.id },
      );
    const [theirs, mine] = [await read(owner), await read(editor)];
    const hidden = { name: 'a', folder: null };
    expect(theirs.data.document).toEqual({ name: 'a', folder: { name: 'In' } });
    expect(mine.data).toEqual({ document: hidden, project: { documents: { nodes: [hidden] } } });
  });

  it('is loaded with the row, in one statement', async () => {
    const { owner, project, documents } = await setUp();
    const row = 'name folder { name } createdBy { name } modifiedBy { name } currentRevision { number }';
    const one = await counted(() =>
      owner.graph(`query ($id: ID!) { document(id: $id) { ${row} project { name } } }`, {
        id: documents[0]?.id,
      }),
    );
    const many = await counted(() =>
      owner.graph(`query ($id: ID!) { project(id: $id) { name documents { nodes { ${row} } } } }`, {
        id: project.id,
      }),
    );
    const relations = {
      folder: { name: 'In' },
      createdBy: { name: expect.any(String) },
      modifiedBy: null,
      currentRevision: { number: 1 },
    };
    expect(one.result).toMatchObject({
      data: { document: { name: 'a', ...relations, project: { name: 'Quay' } } },
    });
    expect(many.result.data.project.documents.nodes).toEqual([
      { name: 'b', ...relations },
      { name: 'a', ...relations },
    ]);
    // The credential, then the document; or the project beside its documents.
    expect([one.statements.length, many.statements.length]).toEqual([2, 3]);
  });

  it('needs one statement for each list below a page of tasks, and none for the people of the tasks', async () => {
    const { owner, project, documents } = await setUp();
    const documentIds = documents.map(({ id }) => id);
    const tasks = ['one', 'two', 'three'].map((name) => ({ name, assigneeEmail: owner.email, documentIds }));
    await owner.graph(
      `mutation ($id: ID!, $tasks: [NewTask!]!) {
        createTasks(input: { projectId: $id, tasks: $tasks }) { tasks { id } } }`,
      { id: project.id, tasks },
    );
    const { result, statements } = await counted(() =>
      owner.graph(
        `query ($id: ID!) { project(id: $id) { tasks { nodes { assignee { id } createdBy { id } completedBy { id }
          documents(first: 3) { nodes { name } } comments(first: 2) { nodes { text createdBy { id } } } } } } }`,
        { id: project.id },
      ),
    );
    const people = { assignee: { id: owner.id }, createdBy: { id: owner.id }, completedBy: null };
    const each = { ...people, documents: { nodes: [{ name: 'a' }, { name: 'b' }] }, comments: { nodes: [] } };
    expect(result.data.project.tasks.nodes).toEqual([each, each, each]);
    // The credential; the project, and its tasks; their documents, and their comments.
    expect(statements).toHaveLength(5);
  });

  it('is joined to a page if any selection of its rows contains the relation, under any alias and in fragments', async () => {
    const { owner, project } = await setUp();
    const { result, statements } = await counted(() =>
      owner.graph(
        `query ($id: ID!) { project(id: $id) { one: documents { nodes { name in: folder { name } } }
          two: documents { edges { node { createdBy { id } by: createdBy { id } ...more } } }
          none: documents { totalCount } } }
         fragment more on Document { ... on Tracked { modifiedBy { id } } }`,
        { id: project.id },
      ),
    );
    const by = { id: owner.id };
    expect(result.data.project).toEqual({
      one: {
        nodes: [
          { name: 'b', in: { name: 'In' } },
          { name: 'a', in: { name: 'In' } },
        ],
      },
      two: {
        edges: [
          { node: { createdBy: by, by, modifiedBy: null } },
          { node: { createdBy: by, by, modifiedBy: null } },
        ],
      },
      none: { totalCount: 2 },
    });
    // The credential, the project, its documents, and their count.
    expect(statements).toHaveLength(4);
  });

  it('is loaded separately, once, for a page of more than 50 rows', async () => {
    const { owner, project } = await setUp();
    const query = `query ($id: ID!) { project(id: $id) { documents(first: 51) { nodes {
      folder { name } createdBy { id } currentRevision { number } } } } }`;
    const { result, statements } = await counted(() => owner.graph(query, { id: project.id }));
    const each = { folder: { name: 'In' }, createdBy: { id: owner.id }, currentRevision: { number: 1 } };
    expect(result.data.project.documents.nodes).toEqual([each, each]);
    // The credential; the project, and its documents with their revisions; folders and people.
    expect(statements).toHaveLength(5);
  });

  it('is joined for fields that are computed from it', async () => {
    const { owner, project } = await setUp();
    const { result, statements } = await counted(() =>
      owner.graph(
        `query ($id: ID!) { project(id: $id) { documents { nodes { downloadUrl textStatus } } } }`,
        {
          id: project.id,
        },
      ),
    );
    const each = { downloadUrl: expect.stringMatching(/^http/), textStatus: 'PENDING' };
    expect(result.data.project.documents.nodes).toEqual([each, each]);
    // The credential; the project, and its documents with their revisions; the text statuses.
    expect(statements).toHaveLength(4);
  });

  it('is NOT_FOUND if it is required and missing', async () => {
    const { db, owner, documents } = await setUp();
    const id = documents[0]?.id;
    await db.prisma.document.updateMany({ where: { id }, data: { revisionNumber: 7 } });
    const { data, errors } = await owner.graph(
      `query ($id: ID!) { document(id: $id) { currentRevision { id } } }`,
      { id },
    );
    expect([data.document, errors?.map(({ extensions }) => extensions.code)]).toEqual([null, ['NOT_FOUND']]);
  });
});
