import { describe, expect, it } from 'vitest';
import { createComments } from '../../../../src/domain/comments/comment.ts';
import { recycleDocuments } from '../../../../src/domain/documents/document-bin.ts';
import { moveDocuments, updateDocument } from '../../../../src/domain/documents/document-change.ts';
import { createFields } from '../../../../src/domain/fields/field-change.ts';
import { updateFolder } from '../../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { updateTask } from '../../../../src/domain/tasks/task-change.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { newId } from '../../../../src/lib/id.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const SEARCH = `query ($id: ID!, $query: String, $filter: SearchFilter, $orderBy: SearchOrder, $first: Int, $after: String) {
  organization(id: $id) { search(query: $query, filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    totalCount pageInfo { endCursor hasNextPage }
    nodes { kind score node { __typename ... on Document { name } ... on Folder { name } ... on Task { name } } highlights { part label text matches } }
  } } }`;

interface Found {
  kind: string;
  score: number;
  node: { __typename: string; name: string };
  highlights: { part: string; label: string | null; text: string; matches: number[] }[];
}

async function search(person: Person, id: string, variables: Record<string, unknown>) {
  const { data, errors } = await person.graph(SEARCH, { id, ...variables });
  if (errors)
    throw new Error(errors.map(({ message, extensions }) => `${extensions.code} ${message}`).join());
  const { nodes, totalCount, pageInfo } = data.organization.search;
  return {
    nodes: nodes as Found[],
    names: (nodes as Found[]).map(({ node }) => node.name),
    totalCount,
    pageInfo,
  };
}

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const [contracts] = await createFolders(ctx, {
    projectId: project.id,
    folders: [{ name: 'Contracts 2026' }],
  });
  const [inner] = await createFolders(ctx, {
    projectId: project.id,
    folders: [{ name: 'Hamburg', parentId: contracts?.id }],
  });
  const [invoice, lease, other] = await newDocuments(ctx, project.id, [
    { name: 'Invoice Übersee INV-2026-001.pdf', tags: ['Paid', 'To check'] },
    { name: 'Lease', folderId: inner?.id },
    { name: 'Other thing' },
  ]);
  const [colour, secret, amount, due] = await createFields(ctx, {
    projectId: project.id,
    fields: [
      { name: 'Colour', type: 'TEXT' },
      { name: 'Secret', type: 'TEXT', sensitive: true },
      { name: 'Amount', type: 'NUMBER' },
      { name: 'Due', type: 'DATE' },
    ],
  });
  if (!contracts || !inner || !invoice || !lease || !other || !colour || !secret || !amount || !due)
    throw new Error('the fixture is not whole');
  await updateDocument(ctx, {
    documentId: invoice.id,
    fieldValues: [
      { fieldId: colour.id, values: ['Deep Purple'] },
      { fieldId: secret.id, values: ['classified'] },
      { fieldId: amount.id, values: ['1250.50'] },
      { fieldId: due.id, values: ['2026-05-01'] },
    ],
  });
  await createComments(ctx, { documentId: other.id, texts: ['Please check the nineteenth line'] });
  const names = async (query: string, filter: object = {}, person: Person = owner) =>
    (await search(person, organization.id, { query, filter })).names;
  const folders = { contracts, inner };
  return {
    ...world,
    ctx,
    names,
    folders,
    documents: { invoice, lease, other },
    fields: { colour, amount, due },
  };
}

const INVOICE = 'Invoice Übersee INV-2026-001.pdf';

describe('a search', () => {
  it.each([
    ['a word of the name', 'INVOICE', [INVOICE]],
    ['accents or none', 'ubersee', [INVOICE]],
    ['the beginning of the last word', 'inv', [INVOICE]],
    ['the beginning of a word with a star', 'inv* übersee', [INVOICE]],
    ['not the beginning of an earlier word', 'invoi übersee', []],
    ['words in any order, from any part', 'purple paid übersee', [INVOICE]],
    ['a phrase', '"inv 2026 001"', [INVOICE]],
    ['a word with punctuation, as a phrase', 'INV-2026-001', [INVOICE]],
    ['no phrase in another order', '"2026 inv"', []],
    ['no phrase across two tags', '"paid to"', []],
    ['a tag', 'paid', [INVOICE]],
    ['a value of a field', 'purple', [INVOICE]],
    ['a comment', 'nineteenth', ['Other thing']],
    ['a folder by name, and its content at any depth', 'contracts', ['Contracts 2026', 'Hamburg', 'Lease']],
    ['a word of the folder and a word of the document', 'contracts lease', ['Lease']],
    ['nothing that has an excluded word', 'contracts -lease', ['Contracts 2026', 'Hamburg']],
    ['nothing in an excluded folder', 'lease -folder:hamburg', []],
    ['a tag only among tags', 'tag:check', [INVOICE]],
    ['a word only in names', 'name:paid', []],
    ['a word only in values', 'value:purple', [INVOICE]],
    ['a word only in comments', 'comment:check', ['Other thing']],
    ['nothing for a query without words', '?!', []],
    ['a mistyped word, if there is no exact match', 'invocie', [INVOICE]],
    ['a mistyped beginning', 'ubesr', [INVOICE]],
    ['a mistyped word of a comment', 'nintenth "please check"', ['Other thing']],
    ['a mistyped phrase', '"depp purple"', [INVOICE]],
  ])('finds %s: %s', async (_, query, expected) => {
    const { names } = await setUp();
    expect((await names(query)).sort()).toEqual([...expected].sort());
  });

  it('reflects creations, changes and deletions at the next request', async () => {
    const { owner, ctx, project, names, documents, folders } = await setUp();
    const folderName = `mutation ($input: UpdateFolderInput!) { updateFolder(input: $input) { folder { id } } }`;
    await newDocuments(ctx, project.id, [{ name: 'Brandnew' }]);
    expect(await names('brandnew')).toEqual(['Brandnew']);
    await createComments(ctx, { documentId: documents.lease.id, texts: ['remarkable'] });
    expect(await names('remarkable')).toEqual(['Lease']);
    await updateDocument(ctx, { documentId: documents.lease.id, name: 'Rented', tags: ['tagged'] });
    expect([await names('lease'), await names('"rented" "tagged"')]).toEqual([[], ['Rented']]);
    await owner.graph(folderName, { input: { folderId: folders.inner.id, name: 'Bremen' } });
    expect(await names('folder:bremen')).toEqual(['Rented']);
    await moveDocuments(ctx, { documentIds: [documents.lease.id] });
    expect(await names('folder:bremen')).toEqual([]);
    await recycleDocuments(ctx, { documentIds: [documents.lease.id] });
    expect([await names('"rented"'), await names('"rented"', { states: ['RECYCLED'] })]).toEqual([
      [],
      ['Rented'],
    ]);
  });

  it('ranks names above tags, tags above values and values above comments', async () => {
    const { ctx, project, fields, names } = await setUp();
    const documentsCreated = await newDocuments(ctx, project.id, [
      { name: 'commented' },
      { name: 'valued' },
      { name: 'tagged', tags: ['zebra'] },
      { name: 'zebra' },
    ]);
    const [commented, valued] = documentsCreated.map(({ id }) => id) as [string, string];
    await createComments(ctx, { documentId: commented, texts: ['zebra'] });
    await updateDocument(ctx, {
      documentId: valued,
      fieldValues: [{ fieldId: fields.colour.id, values: ['zebra'] }],
    });
    expect(await names('zebra')).toEqual(['zebra', 'tagged', 'valued', 'commented']);
  });

  it('highlights matches, except in values of sensitive fields', async () => {
    const { owner, organization } = await setUp();
    const marked = async (query: string) => {
      const { nodes } = await search(owner, organization.id, { query });
      return nodes.flatMap(({ highlights }) =>
        highlights.map(({ part, label, text, matches }) => [part, label, text.slice(matches[0], matches[1])]),
      );
    };
    expect(await marked('uber')).toEqual([['NAME', null, 'Übersee']]);
    expect(await marked('paid')).toEqual([['TAG', null, 'Paid']]);
    expect(await marked('purple')).toEqual([['VALUE', 'Colour', 'Purple']]);
    expect(await marked('nineteenth')).toEqual([['COMMENT', null, 'nineteenth']]);
    expect(await marked('nintenth')).toEqual([['COMMENT', null, 'nineteenth']]);
    expect(await marked('folder:contracts lease')).toEqual(
      expect.arrayContaining([['FOLDER', null, 'Contracts']]),
    );
    expect(await marked('classified')).toEqual([]);
    expect((await search(owner, organization.id, { query: 'classified' })).names).toEqual([INVOICE]);
    expect(await marked('')).toEqual([]);
  });
});

describe('tags of tasks', () => {
  it('are found, filtered by, highlighted and counted as those of documents', async () => {
    const { owner, ctx, project, organization, names } = await setUp();
    const [task] = await createTasks(ctx, {
      projectId: project.id,
      tasks: [{ name: 'Visit', tags: ['Paid'] }],
    });
    expect(await names('tag:paid')).toEqual(expect.arrayContaining([INVOICE, 'Visit']));
    expect((await names('', { tags: ['paid'] })).sort()).toEqual([INVOICE, 'Visit']);
    const { data } = await owner.graph(
      `query ($id: ID!) { organization(id: $id) { search(query: "tag:paid", filter: { kind: TASK }) {
        facets { tags { tag count } } nodes { highlights { part text } } } } }`,
      { id: organization.id },
    );
    expect(data.organization.search.facets.tags).toEqual([{ tag: 'Paid', count: 1 }]);
    expect(data.organization.search.nodes[0].highlights).toMatchObject([{ part: 'TAG' }]);
    await updateTask(ctx, { taskId: task?.id as string, tags: [] });
    expect(await names('tag:paid')).toEqual([INVOICE]);
  });
});

describe('the filter of a search', () => {
  it('combines all its conditions', async () => {
    const { owner, names, project, documents, folders, fields } = await setUp();
    const past = '2020-01-01T00:00:00Z';
    const namesFor = async (filter: object) => (await names('', filter)).sort();
    const all = ['Contracts 2026', 'Hamburg', INVOICE, 'Lease', 'Other thing'];
    expect(await namesFor({})).toEqual(all);
    expect(await namesFor({ kind: 'FOLDER' })).toEqual(['Contracts 2026', 'Hamburg']);
    expect(await namesFor({ kind: 'DOCUMENT', belowFolderId: folders.contracts.id })).toEqual(['Lease']);
    expect(await namesFor({ folderId: folders.contracts.id })).toEqual(['Hamburg']);
    expect(await namesFor({ tags: ['PAID', 'to check'] })).toEqual([INVOICE]);
    expect(await namesFor({ tags: ['paid', 'other'] })).toEqual([]);
    expect(await namesFor({ createdById: owner.id, createdAfter: past })).toEqual(all);
    expect(await namesFor({ createdBefore: past })).toEqual([]);
    expect(
      await namesFor({ modifiedAfter: documents.other.createdAt.toISOString(), kind: 'DOCUMENT' }),
    ).toContain(INVOICE);
    expect(await namesFor({ modifiedBefore: past })).toEqual([]);
    expect(await namesFor({ projectIds: [project.id] })).toEqual(all);
    expect(await namesFor({ projectIds: [newId('Project')] })).toEqual([]);
    expect(await namesFor({ projectIds: [] })).toEqual([]);
    expect(await namesFor({ states: ['OPEN'] })).toEqual([]);
    const { colour, amount, due } = fields;
    const value = (fieldId: string, operator: string, text: string) =>
      namesFor({ fields: [{ fieldId, operator, value: text }] });
    expect(await value(colour.id, 'EQUALS', 'deep purple')).toEqual([INVOICE]);
    expect(await value(colour.id, 'EQUALS', 'deep')).toEqual([]);
    expect(await value(colour.id, 'STARTS_WITH', 'DEEP')).toEqual([INVOICE]);
    expect(await value(colour.id, 'AT_LEAST', 'a')).toEqual([]);
    expect(await value(amount.id, 'EQUALS', '1250.5')).toEqual([INVOICE]);
    expect(await value(amount.id, 'AT_LEAST', '1250.51')).toEqual([]);
    expect(await value(amount.id, 'AT_MOST', '1250.51')).toEqual([INVOICE]);
    expect(await value(due.id, 'AT_LEAST', '2026-04-30T00:00:00Z')).toEqual([INVOICE]);
    expect(await value(due.id, 'AT_MOST', '2026-04-30')).toEqual([]);
    expect(await value(newId('Field'), 'EQUALS', 'deep purple')).toEqual([]);
  });

  it.each([
    ['a query of ten kilobytes', { query: 'x'.repeat(10_000) }],
    ['too many words', { query: 'x '.repeat(40) }],
    ['a NUL', { query: 'a\0b' }],
    ['a lone surrogate', { query: 'a\ud800b' }],
    ['a cursor of another list', { query: 'x', after: 'WyJhIiwiYiJd' }],
    ['an invalid cursor', { query: 'x', after: '~nothing' }],
    ['no states', { filter: { states: [] } }],
    ['too many projects', { filter: { projectIds: Array.from({ length: 101 }, () => 'p') } }],
  ])('refuses %s', async (_, variables) => {
    const { owner, organization } = await newWorld();
    await expect(search(owner, organization.id, variables)).rejects.toThrow('BAD_USER_INPUT');
  });

  it.each([
    "'",
    "\\' | 'x",
    '%_\\',
    'a & b | !c <-> d:*',
    '(',
    ':*',
    "org' OR 1=1 --",
    '"'.repeat(999),
  ])('treats %j as plain words', async (query) => {
    const { names } = await setUp();
    expect(await names(query)).toEqual([]);
  });
});

describe('pages of a search', () => {
  const ORDERS = ['RELEVANCE', 'NAME', 'CREATED_AT', 'MODIFIED_AT'].flatMap((field) =>
    ['ASC', 'DESC'].map((direction) => ({ field, direction })),
  );

  it.each([
    ...ORDERS.map((orderBy) => ['common', orderBy] as const),
    ['commno', undefined] as const,
  ])('contain each object exactly once: %s by %j', async (query, orderBy) => {
    const { owner, organization, project } = await newWorld();
    const files = Array.from({ length: 7 }, (_, index) => ({
      name: `common ${'word '.repeat(index % 3)}${index}`,
    }));
    await newDocuments(await owner.context(), project.id, files);
    const listedNames: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await search(owner, organization.id, { query, orderBy, first: 3, after });
      expect(page.totalCount).toBe(7);
      listedNames.push(...page.names);
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(listedNames.toSorted()).toEqual(files.map(({ name }) => name).sort());
    if (orderBy?.field === 'NAME')
      expect(listedNames).toEqual(
        orderBy.direction === 'ASC' ? listedNames.toSorted() : listedNames.toSorted().reverse(),
      );
  });

  it('can be read backward', async () => {
    const { owner, organization, names } = await setUp();
    const order = await names('', {});
    const query = `query ($id: ID!, $before: String) { organization(id: $id) { search(last: 2, before: $before) { nodes { node { ... on Document { name } ... on Folder { name } ... on Task { name } } } pageInfo { startCursor hasPreviousPage } } } }`;
    const last = (await owner.graph(query, { id: organization.id })).data.organization.search;
    const before = (await owner.graph(query, { id: organization.id, before: last.pageInfo.startCursor })).data
      .organization.search;
    const allNames = [...before.nodes, ...last.nodes].map(({ node }: Found) => node.name);
    expect(allNames).toEqual(order.slice(-4));
  });
});

describe('facets', () => {
  const FACETS = `query ($id: ID!, $query: String) { organization(id: $id) { search(query: $query, first: 0) { facets {
    kinds { kind count } states { state count } projects { project { name } count } creators { createdBy { id } count } tags { tag count } } } } }`;

  it('count all hits of the search', async () => {
    const { owner, organization, ctx } = await setUp();
    const [yard] = await createProjects(ctx, {
      organizationId: organization.id,
      projects: [{ name: 'Yard' }],
    });
    await newDocuments(ctx, yard?.id as string, [{ name: 'elsewhere', tags: ['PAID'] }]);
    const { data } = await owner.graph(FACETS, { id: organization.id });
    const facets = data.organization.search.facets;
    expect(facets).toEqual({
      kinds: [
        { kind: 'DOCUMENT', count: 4 },
        { kind: 'FOLDER', count: 2 },
      ],
      states: [{ state: 'ACTIVE', count: 6 }],
      projects: [
        { project: { name: 'Quay' }, count: 5 },
        { project: { name: 'Yard' }, count: 1 },
      ],
      creators: [{ createdBy: { id: owner.id }, count: 6 }],
      tags: [
        { tag: expect.stringMatching(/^paid$/i), count: 2 },
        { tag: 'To check', count: 1 },
      ],
    });
    const tolerant = await owner.graph(FACETS, { id: organization.id, query: 'invocie' });
    expect(tolerant.data.organization.search.facets.kinds).toEqual([{ kind: 'DOCUMENT', count: 1 }]);
  });

  it('do not count invisible objects', async () => {
    const { db, organization, stranger, ctx, project } = await setUp();
    await updateProject(ctx, { projectId: project.id, access: 'RESTRICTED' });
    const member = await newMember(db, organization.id, 'MEMBER');
    const { data } = await member.graph(FACETS, { id: organization.id });
    expect(Object.values(data.organization.search.facets)).toEqual([[], [], [], [], []]);
    expect((await stranger.graph(FACETS, { id: organization.id })).data.organization).toBeNull();
  });
});

describe('an invisible object', () => {
  /** A member who sees, in a restricted project, only the lease that is assigned to them. */
  async function restricted() {
    const world = await setUp();
    const { db, ctx, organization, project, documents } = world;
    const member = await newMember(db, organization.id, 'MEMBER');
    await updateProject(ctx, { projectId: project.id, access: 'RESTRICTED' });
    await joinProject(db, project, member, 'EDITOR');
    await updateDocument(ctx, { documentId: documents.lease.id, assigneeEmails: [member.email] });
    return { ...world, member };
  }

  it('is neither found nor counted', async () => {
    const { organization, member } = await restricted();
    for (const query of ['', 'invoice', 'invocie', 'paid', 'purple', 'nineteenth', '-nothing']) {
      const { names, totalCount } = await search(member, organization.id, { query });
      const expected = query === '' || query.startsWith('-') ? ['Lease'] : [];
      expect([query, names, totalCount]).toEqual([query, expected, expected.length]);
    }
  });

  it('is not disclosed by a visible document in an invisible folder', async () => {
    const { organization, member, folders, ctx } = await restricted();
    const searchFor = (variables: object) => search(member, organization.id, { ...variables });
    for (const query of ['contracts', 'hamburg', 'folder:hamburg', 'folder:hambrug'])
      expect((await searchFor({ query })).names).toEqual([]);
    expect((await searchFor({ query: 'lease -folder:hamburg' })).names).toEqual(['Lease']);
    for (const filter of [{ folderId: folders.inner.id }, { belowFolderId: folders.contracts.id }])
      expect((await searchFor({ filter })).names).toEqual([]);
    const { nodes } = await searchFor({ query: 'lease' });
    expect(nodes.flatMap(({ highlights }) => highlights.map(({ part }) => part))).toEqual(['NAME']);
    await updateFolder(ctx, { folderId: folders.inner.id, assigneeEmails: [member.email] });
    expect((await searchFor({ query: 'folder:hamburg' })).names).toEqual(['Lease']);
    expect((await searchFor({ query: 'contracts' })).names).toEqual(['Contracts 2026', 'Hamburg', 'Lease']);
  });

  it('does not influence whether a query falls back to similar words', async () => {
    const { organization, member, ctx, project } = await restricted();
    expect((await search(member, organization.id, { query: 'laese' })).names).toEqual(['Lease']);
    await newDocuments(ctx, project.id, [{ name: 'laese' }]);
    expect((await search(member, organization.id, { query: 'laese' })).names).toEqual(['Lease']);
  });

  it('is not found by strangers, also with ids and cursors of others', async () => {
    const { owner, organization, project, stranger, folders, fields } = await setUp();
    await expect(search(stranger, organization.id, { query: 'invoice' })).rejects.toThrow('NOT_FOUND');
    const own = (await stranger.graph('{ viewer { organizations { nodes { id } } } }')).data.viewer
      .organizations.nodes[0].id;
    const { pageInfo } = await search(owner, organization.id, { first: 1 });
    for (const variables of [
      {},
      { query: 'invoice' },
      { query: 'invocie' },
      { filter: { projectIds: [project.id] } },
      { filter: { folderId: folders.contracts.id } },
      { filter: { belowFolderId: folders.contracts.id } },
      { filter: { createdById: owner.id } },
      { filter: { fields: [{ fieldId: fields.colour.id, value: 'deep purple' }] } },
      { after: pageInfo.endCursor },
    ])
      expect(await search(stranger, own, variables)).toMatchObject({ names: [], totalCount: 0 });
    const byProject = `query ($id: ID!) { project(id: $id) { search { totalCount } } }`;
    expect((await stranger.graph(byProject, { id: project.id })).errors?.[0]?.extensions.code).toBe(
      'NOT_FOUND',
    );
  });
});

describe('a search of a project', () => {
  it('finds only objects of the project', async () => {
    const { owner, organization, ctx, project } = await setUp();
    const [yard] = await createProjects(ctx, {
      organizationId: organization.id,
      projects: [{ name: 'Yard' }],
    });
    await newDocuments(ctx, yard?.id as string, [{ name: 'Invoice of the yard' }]);
    const query = `query ($id: ID!) { project(id: $id) { search(query: "invoice") { totalCount nodes { node { ... on Document { name } } } facets { projects { count } } } } }`;
    const resultsOf = async (id: string | undefined) =>
      (await owner.graph(query, { id })).data.project.search;
    expect(await resultsOf(yard?.id)).toEqual({
      totalCount: 1,
      nodes: [{ node: { name: 'Invoice of the yard' } }],
      facets: { projects: [{ count: 1 }] },
    });
    expect((await resultsOf(project.id)).nodes).toEqual([{ node: { name: INVOICE } }]);
  });
});

describe('the cost of a search', () => {
  it('is the same number of statements, for any number of hits', async () => {
    const { owner, organization, project } = await newWorld();
    const statementCount = async (query: string) =>
      (await counted(() => search(owner, organization.id, { query }))).statements.length;
    const ctx = await owner.context();
    await newDocuments(ctx, project.id, [{ name: 'common 0', tags: ['t'] }]);
    await createFolders(ctx, { projectId: project.id, folders: [{ name: 'common' }] });
    const [few, mistyped] = [await statementCount('common'), await statementCount('commno')];
    await newDocuments(
      ctx,
      project.id,
      Array.from({ length: 9 }, (_, index) => ({ name: `common ${index}` })),
    );
    await createFolders(ctx, {
      projectId: project.id,
      folders: Array.from({ length: 9 }, () => ({ name: 'common' })),
    });
    expect([await statementCount('common'), await statementCount('commno')]).toEqual([few, mistyped]);
    // One more when the first, bounded attempt at a list is cut.
    expect(few).toBeLessThanOrEqual(8);
    expect(mistyped).toBeLessThanOrEqual(10);
  });

  it('counts towards the query cost, and is refused above the limit', async () => {
    const { owner, organization } = await newWorld();
    const many = Array.from(
      { length: 60 },
      (_, index) => `s${index}: search(query: "x") { facets { kinds { count } } }`,
    );
    const { errors } = await owner.graph(`{ organization(id: "${organization.id}") { ${many.join(' ')} } }`);
    expect(errors?.[0]?.extensions.code).toBe('COST_LIMIT_EXCEEDED');
  });
});
