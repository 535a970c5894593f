import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newId, typeOfId } from '../../../src/lib/id.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { type Snapshot, takeSnapshot } from '../../matrix/snapshot.ts';
import { newDatabase } from '../../support/database.ts';
import { newRestWorld } from '../fixture.ts';

let world: Awaited<ReturnType<typeof newRestWorld>>;
let stored: Snapshot;

beforeAll(async () => {
  world = await newRestWorld(await newDatabase());
  stored = await takeSnapshot(world.db);
});
afterEach(() => stored.restore());
afterAll(() => world.db.close());

const batches = restRoutes.filter(({ id }) =>
  /^(deleteProjects|deleteFields|deleteDocumentFolders|deleteApiKeys|setDocumentFolder|sendToRecycleBin|restoreFromRecycleBin|shareFormTemplates|linkTaskDocuments|(approve|decline|deny)Approvals)$/.test(
    id,
  ),
);

it('the batches by ids are these twelve', () => expect(batches.length).toBe(12));

it.each(
  batches,
)('$method $path names the position and the value of an id that does not exist', async (route) => {
  const { owner, bodies, fill } = world;
  const body = bodies[route.id] as { IDs: string[] } | { DocumentID: string }[];
  const [valid = ''] = Array.isArray(body) ? body.map((each) => each.DocumentID) : body.IDs;
  const missing = newId(typeOfId(valid) as never);
  const sent = Array.isArray(body) ? { IDs: [valid, missing] } : { ...body, IDs: [valid, missing] };
  const answer = await owner.rest(route.method, fill(route), sent);
  expect([answer.status, answer.body.at, answer.body.message]).toEqual([
    404,
    'IDs.1',
    expect.stringMatching(new RegExp(`^IDs\\.1 "${missing}": [A-Z].* not found\\.$`)),
  ]);
  expect(await stored.changed()).toEqual([]);
});

it('an array of records names the position of the record', async () => {
  const route = restRoutes.find(({ id }) => id === 'linkTaskDocuments') as (typeof restRoutes)[number];
  const records = [{ DocumentID: world.document.id }, { DocumentID: newId('Document') }];
  const { status, body } = await world.owner.rest('POST', world.fill(route), records);
  expect([status, body.at]).toEqual([404, '1']);
});

it('a document in the wrong state is named by its position', async () => {
  const { owner, fill, document, recycled } = world;
  const route = restRoutes.find(({ id }) => id === 'sendToRecycleBin') as (typeof restRoutes)[number];
  const { status, body } = await owner.rest('POST', fill(route), { IDs: [document.id, recycled.id] });
  expect([status, body.at]).toEqual([409, 'IDs.1']);
});
