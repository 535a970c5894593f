import { expect, it } from 'vitest';
import { newApprovalWorld } from '../../../support/approvals.ts';
import { counted } from '../../../support/database.ts';
import type { Person } from '../../../support/world.ts';

const LIST = `query ($id: ID!, $filter: ApprovalFilter) { organization(id: $id) { approvals(first: 50, filter: $filter) {
  totalCount nodes { id state waitsForViewer item { name } run { createdBy { id } } } } } }`;

async function scene() {
  const world = await newApprovalWorld();
  const { organization, ann, owner, process, start, document, task, approvals } = world;
  const release = await process({ approvers: [ann] });
  const [first, second] = [await document('a.pdf'), await task('Check')];
  await start(release, first);
  await start(release, second);
  const idOf = async (itemId: string) => (await approvals(itemId))[0]?.id;
  const list = async (person: Person, filter = {}) =>
    (await person.graph(LIST, { id: organization.id, filter })).data.organization?.approvals;
  const ids = async (person: Person, filter = {}): Promise<string[]> =>
    (await list(person, filter)).nodes.map(({ id }: { id: string }) => id);
  return { ...world, owner, release, list, ids, first: await idOf(first), second: await idOf(second) };
}

it('the approvals of an organization are those of all its projects, newest first, by state and by who asked', async () => {
  const { owner, ann, ids, first, second } = await scene();
  expect(await ids(owner)).toEqual([second, first]);
  const deny = `mutation ($input: DenyApprovalsInput!) { denyApprovals(input: $input) { approvals { id } } }`;
  await ann.graph(deny, { input: { ids: [first] } });
  expect(await ids(owner, { state: 'DENIED' })).toEqual([first]);
  expect(await ids(owner, { state: 'PENDING' })).toEqual([second]);
  expect(await ids(ann, { waitsForViewer: true })).toEqual([second]);
  expect(await ids(ann, { requestedById: owner.id })).toEqual([second, first]);
  expect(await ids(ann, { requestedById: ann.id })).toEqual([]);
});

it('they are as invisible to a stranger as their organization', async () => {
  const { stranger, list } = await scene();
  expect(await list(stranger)).toBeUndefined();
});

it('the statements of the list are as many for 2 as for 20', async () => {
  const { owner, release, start, document, list } = await scene();
  const few = await counted(() => list(owner));
  for (let more = 0; more < 18; more++) await start(release, await document(`more-${more}.pdf`));
  const many = await counted(() => list(owner));
  expect(many.result.totalCount).toBe(20);
  expect(many.statements).toEqual(few.statements);
});
