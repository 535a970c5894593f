import { describe, expect, it } from 'vitest';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { newId } from '../../../../src/lib/id.ts';
import { newApprovalWorld } from '../../../support/approvals.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { config, joinProject, newMember, newWorld, type Person, testApp } from '../../../support/world.ts';

const mutation = (name: string, selection: string) => {
  const input = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${input}!) { ${name}(input: $input) { ${selection} results { error { code message at } } } }`;
};

const RECYCLE = mutation('recycleDocuments', 'documents { id }');

/** Recycles documents, skipping those that fail. */
const recycle = (person: Person, documentIds: string[], more: object = {}) =>
  person.graph(RECYCLE, { input: { documentIds, onError: 'SKIP_FAILED', ...more } });

async function documents(person: Person, projectId: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => ({ name: `d${index}` }));
  return (await newDocuments(await person.context(), projectId, names)).map(({ id }) => id);
}

describe('a batch that skips what fails', () => {
  it('changes the other items, in the order of the input, and says why each was left out', async () => {
    const { owner, project } = await newWorld();
    const [first, binned, last] = (await documents(owner, project.id, 3)) as [string, string, string];
    await recycle(owner, [binned]);
    const { data, errors } = await recycle(owner, [last, binned, newId('Document'), first]);
    expect(errors).toBeUndefined();
    expect(data.recycleDocuments).toEqual({
      documents: [{ id: last }, { id: first }],
      results: [
        { error: null },
        { error: { code: 'CONFLICT', message: expect.any(String), at: 'documentIds.1' } },
        { error: { code: 'NOT_FOUND', message: 'Document not found.', at: 'documentIds.2' } },
        { error: null },
      ],
    });
  });

  it('skips the items of a project in which the caller has no role', async () => {
    const { owner, organization, project, db } = await newWorld();
    const [created] = await createProjects(await owner.context(), {
      organizationId: organization.id,
      projects: [{ name: 'Other' }],
    });
    const otherId = created?.id as string;
    const editor = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, editor, 'EDITOR');
    await joinProject(db, { ...project, id: otherId }, editor, 'VIEWER');
    const [own] = await documents(owner, project.id, 1);
    const [other] = await documents(owner, otherId, 1);
    const { data } = await recycle(editor, [other as string, own as string]);
    expect(data.recycleDocuments.documents).toEqual([{ id: own }]);
    expect(data.recycleDocuments.results).toMatchObject([
      { error: { code: 'FORBIDDEN', at: 'documentIds.0' } },
      { error: null },
    ]);
    const rows = await db.prisma.document.findMany({ where: { id: { in: [own, other] as string[] } } });
    expect(rows.map(({ id, state }) => [id, state]).sort()).toEqual(
      [
        [own, 'RECYCLED'],
        [other, 'ACTIVE'],
      ].sort(),
    );
  });

  it('is refused as a whole for what is no item', async () => {
    const { owner, project } = await newWorld();
    const documentIds = await documents(owner, project.id, 2);
    const move = { documentIds, folderId: newId('Folder'), onError: 'SKIP_FAILED' };
    const moved = await owner.graph(mutation('moveDocuments', 'documents { id }'), { input: move });
    const many = await recycle(
      owner,
      Array.from({ length: config.limits.batchMax + 1 }, () => newId('Document')),
    );
    expect([moved.data, moved.errors?.[0]?.extensions]).toEqual([
      { moveDocuments: null },
      { code: 'NOT_FOUND', at: 'folderId' },
    ]);
    expect(many.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', at: 'documentIds' });
  });

  it('finds all unknown ids, and all values that are not allowed, in one further run', async () => {
    const { owner, organization, project } = await newWorld();
    const [last] = (await documents(owner, project.id, 1)) as [string];
    const unknown = Array.from({ length: 150 }, () => newId('Document'));
    const { data } = await recycle(owner, [...unknown, last]);
    expect(data.recycleDocuments.documents).toEqual([{ id: last }]);
    const names = Array.from({ length: 150 }, (_, index) => ({ name: index % 3 === 0 ? `g${index}` : '' }));
    const input = { organizationId: organization.id, groups: names, onError: 'SKIP_FAILED' };
    const created = await owner.graph(mutation('createGroups', 'groups { name }'), { input });
    expect(created.data.createGroups.groups).toHaveLength(50);
    expect(created.data.createGroups.results[149].error.at).toBe('groups.149.name');
  });

  it('is refused if too many items fail one after the other, and changes nothing', async () => {
    const { owner, organization } = await newWorld();
    const groups = Array.from({ length: 120 }, (_, index) => ({ name: `g${index >> 1}` }));
    const input = { organizationId: organization.id, groups: [...groups, ...groups], onError: 'SKIP_FAILED' };
    const { errors } = await owner.graph(mutation('createGroups', 'groups { name }'), { input });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', at: 'groups' } });
    const query = 'query ($id: ID!) { organization(id: $id) { groups(first: 1) { totalCount } } }';
    expect((await owner.graph(query, { id: organization.id })).data.organization.groups.totalCount).toBe(0);
  });

  it('takes as many statements more for an item that fails, whatever the number of the others', async () => {
    const { owner, project } = await newWorld();
    const count = async (size: number) => {
      const ids = [newId('Document'), ...(await documents(owner, project.id, size))];
      return (await counted(() => recycle(owner, ids))).statements.length;
    };
    expect(await count(20)).toBe(await count(2));
  });

  it('is replayed with the same results for its idempotency key', async () => {
    const { owner, project, db } = await newWorld();
    const documentIds = [newId('Document'), ...(await documents(owner, project.id, 1))];
    const app = await testApp(db);
    const send = async () => {
      const answer = await app.request('/graphql', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.key}`,
          'content-type': 'application/json',
          'idempotency-key': `batch ${project.id}`,
        },
        body: JSON.stringify({
          query: RECYCLE,
          variables: { input: { documentIds, onError: 'SKIP_FAILED' } },
        }),
      });
      return (await answer.json()).data;
    };
    const first = await send();
    expect(first.recycleDocuments.results).toMatchObject([{ error: { code: 'NOT_FOUND' } }, { error: null }]);
    expect(await send()).toEqual(first);
  });

  it('decides the approvals that were pending at its beginning, not those that follow from it', async () => {
    const { ann, process, start, document, approvals } = await newApprovalWorld();
    const itemId = await document();
    await start(await process({ approvers: [ann] }, { approvers: [ann] }), itemId);
    const [first] = await approvals(itemId);
    const input = { ids: [newId('Approval'), first?.id, itemId], onError: 'SKIP_FAILED' };
    const { data } = await ann.graph(mutation('approveApprovals', 'approvals { id state }'), { input });
    expect(data.approveApprovals.approvals).toEqual([{ id: first?.id, state: 'APPROVED' }]);
    expect((await approvals(itemId)).map(({ state }) => state)).toEqual(['APPROVED', 'PENDING']);
  });
});
