import { describe, expect, it } from 'vitest';
import { createFields } from '../../../../src/domain/fields/field-change.ts';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { createGroups } from '../../../../src/domain/membership/group-change.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const POLICY = `retentionPolicy { id name keep startsFrom action lockedAt reviewNeed
  assignments { nodes { id scope choice project { name } folder { name } field { name } } } }`;
const CREATE = `mutation ($input: CreateRetentionPolicyInput!) { createRetentionPolicy(input: $input) { ${POLICY} } }`;
const ASSIGN = `mutation ($input: AssignRetentionPolicyInput!) { assignRetentionPolicy(input: $input) { ${POLICY} } }`;
const UPDATE = `mutation ($input: UpdateRetentionPolicyInput!) { updateRetentionPolicy(input: $input) { ${POLICY} } }`;
const LOCK = `mutation ($input: LockRetentionPolicyInput!) { lockRetentionPolicy(input: $input) { ${POLICY} } }`;
const DELETE = `mutation ($input: DeleteRetentionPolicyInput!) { deleteRetentionPolicy(input: $input) { retentionPolicyId } }`;
const LIST = `query ($id: ID!) { organization(id: $id) { retentionPolicies(first: 5) { nodes { name } }
  disposals(first: 5) { nodes { id } } } }`;

const codes = ({ errors = [] }: { errors?: { extensions: { code: string } }[] }) =>
  errors.map(({ extensions }) => extensions.code);

async function setUp() {
  const world = await newWorld();
  const { owner, organization } = world;
  const create = (given: object = {}, by: Person = owner) =>
    by.graph(CREATE, {
      input: {
        ...{ organizationId: organization.id, name: 'Invoices', keep: 'P10Y' },
        ...{ startsFrom: 'CREATED', action: 'PURGE', ...given },
      },
    });
  return { ...world, create };
}

describe('a retention policy', () => {
  it('is created, assigned, changed and deleted, each with an event', async () => {
    const { db, owner, organization, project, create } = await setUp();
    const { retentionPolicy } = (await create()).data.createRetentionPolicy;
    expect(retentionPolicy).toMatchObject({
      name: 'Invoices',
      keep: 'P10Y',
      lockedAt: null,
      assignments: { nodes: [] },
    });
    const policyId = retentionPolicy.id;
    const assigned = await owner.graph(ASSIGN, { input: { policyId, scope: { projectId: project.id } } });
    expect(assigned.data.assignRetentionPolicy.retentionPolicy.assignments.nodes).toMatchObject([
      { scope: 'PROJECT', project: { name: 'Quay' }, folder: null, field: null, choice: null },
    ]);
    const changed = await owner.graph(UPDATE, { input: { policyId, keep: 'P90D', name: 'Bills' } });
    expect(changed.data.updateRetentionPolicy.retentionPolicy).toMatchObject({ keep: 'P90D', name: 'Bills' });
    const deleted = await owner.graph(DELETE, { input: { policyId } });
    expect(deleted.data.deleteRetentionPolicy).toEqual({ retentionPolicyId: policyId });
    const events = await db.prisma.event.findMany({
      where: { organizationId: organization.id, subjectId: policyId },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ kind }) => kind)).toEqual(
      ['created', 'assigned', 'updated', 'deleted'].map((verb) => `retentionPolicy.${verb}`),
    );
    expect(events[2]?.data).toEqual({
      before: { name: 'Invoices', keep: 'P10Y' },
      after: { name: 'Bills', keep: 'P90D' },
    });
  });

  it.each([
    [
      'a time that is none',
      { keep: '10 years' },
      'keep: must be a time such as P10Y, P6M or P90D, of at most 1,000 years',
    ],
    [
      'a time of zero',
      { keep: 'P0D' },
      'keep: must be a time such as P10Y, P6M or P90D, of at most 1,000 years',
    ],
    [
      'a time too long',
      { keep: 'P1001Y' },
      'keep: must be a time such as P10Y, P6M or P90D, of at most 1,000 years',
    ],
    ['a field with another start', { fieldId: 'fie_x' }, 'fieldId: goes with the start FIELD alone'],
    ['the start FIELD without one', { startsFrom: 'FIELD' }, 'fieldId: is required for the start FIELD'],
    ['a review without a group', { action: 'REVIEW' }, 'reviewGroupId: is required for the action REVIEW'],
    [
      'a group without a review',
      { reviewGroupId: 'grp_x' },
      'reviewGroupId: goes with the action REVIEW alone',
    ],
  ])('is refused with %s', async (_, given, message) => {
    const { db, organization, create } = await setUp();
    const answer = await create(given);
    expect(answer.errors?.map((error) => [error.extensions.code, error.message])).toEqual([
      ['BAD_USER_INPUT', message],
    ]);
    expect(await db.prisma.retentionPolicy.count({ where: { organizationId: organization.id } })).toBe(0);
  });

  it('has a name of its own', async () => {
    const { create } = await setUp();
    await create();
    expect(codes(await create({ name: 'INVOICES' }))).toEqual(['CONFLICT']);
  });

  it.each([
    ['FORBIDDEN', 'MEMBER'],
    ['FORBIDDEN', 'GUEST'],
  ] as const)('answers %s to a %s who creates one', async (code, role) => {
    const { db, organization, create } = await setUp();
    const person = await newMember(db, organization.id, role);
    expect(codes(await create({}, person))).toEqual([code]);
  });

  it('is NOT_FOUND to a stranger, who neither changes nor locks it', async () => {
    const { stranger, create } = await setUp();
    const policyId = (await create()).data.createRetentionPolicy.retentionPolicy.id;
    expect(codes(await stranger.graph(UPDATE, { input: { policyId, keep: 'P1D' } }))).toEqual(['NOT_FOUND']);
    expect(codes(await stranger.graph(LOCK, { input: { policyId } }))).toEqual(['NOT_FOUND']);
  });

  it('is shown to members, and to no guest; disposals to owners and admins', async () => {
    const { db, organization, create } = await setUp();
    await create();
    const names = async (role: 'MEMBER' | 'GUEST' | 'ADMIN') => {
      const person = await newMember(db, organization.id, role);
      return (await person.graph(LIST, { id: organization.id })).data.organization.retentionPolicies.nodes;
    };
    expect([await names('ADMIN'), await names('MEMBER'), await names('GUEST')]).toEqual([
      [{ name: 'Invoices' }],
      [{ name: 'Invoices' }],
      [],
    ]);
  });
});

describe('a retention policy of another organization', () => {
  it('is assigned to nothing here, and no policy to what is there: each is NOT_FOUND', async () => {
    const { owner, project, create } = await setUp();
    const other = await setUp();
    const ctx = await other.owner.context();
    const [folder] = await createFolders(ctx, { projectId: other.project.id, folders: [{ name: 'There' }] });
    const [field] = await createFields(ctx, {
      projectId: other.project.id,
      fields: [{ name: 'Ends', type: 'DATE' }],
    });
    const [group] = await createGroups(ctx, {
      organizationId: other.organization.id,
      groups: [{ name: 'Readers' }],
    });
    const policyId = (await create()).data.createRetentionPolicy.retentionPolicy.id;
    const foreignId = (await other.create()).data.createRetentionPolicy.retentionPolicy.id;
    const assign = (input: object) => owner.graph(ASSIGN, { input });
    const answers = [
      await assign({ policyId: foreignId, scope: { projectId: project.id } }),
      await assign({ policyId, scope: { projectId: other.project.id } }),
      await assign({ policyId, scope: { folderId: folder?.id } }),
      await assign({ policyId, scope: { choice: { fieldId: field?.id, value: 'x' } } }),
      await create({ name: 'One', startsFrom: 'FIELD', fieldId: field?.id }),
      await create({ name: 'Two', action: 'REVIEW', reviewGroupId: group?.id }),
      await owner.graph(UPDATE, { input: { policyId, action: 'REVIEW', reviewGroupId: group?.id } }),
    ];
    expect(answers.map(codes)).toEqual(answers.map(() => ['NOT_FOUND']));
  });
});

describe('the retention of documents', () => {
  it('is read for all documents of a page with three statements, however many they are', async () => {
    const { owner, project, create } = await setUp();
    const policyId = (await create()).data.createRetentionPolicy.retentionPolicy.id;
    const assigned = await owner.graph(ASSIGN, { input: { policyId, scope: { wholeOrganization: true } } });
    expect(assigned.errors).toBeUndefined();
    const files = Array.from({ length: 5 }, (_, index) => ({ name: `${index}.txt` }));
    await newDocuments(await owner.context(), project.id, files);
    const query = `query ($id: ID!) { project(id: $id) { documents(first: 5) { nodes { retention { state action until } } } } }`;
    const { result, statements } = await counted(() => owner.graph(query, { id: project.id }));
    const { nodes } = result.data.project.documents;
    expect(nodes).toHaveLength(5);
    expect(nodes[0].retention).toMatchObject({ state: 'KEPT', action: 'PURGE', until: expect.any(String) });
    expect(statements.filter((text) => text.includes('retention')).length).toBe(3);
  });

  it('is null where no policy covers them', async () => {
    const { owner, project } = await setUp();
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'a' }]);
    const { data } = await owner.graph('query ($id: ID!) { document(id: $id) { retention { state } } }', {
      id: document?.id,
    });
    expect(data.document.retention).toBeNull();
  });
});
