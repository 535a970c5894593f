import { describe, expect, it } from 'vitest';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'a.txt' }]);
  const organizationPath = `/organizations/${organization.id}`;
  const base = `${organizationPath}/projects/${project.id}`;
  const id = document?.id as string;
  return { ...world, organizationPath, base, id, path: `${base}/documentSubscriptions/${id}` };
}

describe('document subscriptions over REST v1', () => {
  it('are created, ended and listed, and shown in documents', async () => {
    const { owner, organizationPath, base, id, path } = await setUp();
    expect((await owner.rest('GET', path)).body).toMatchObject({ ID: '', Subscribed: false, DocumentID: id });
    const { status, body } = await owner.rest('PUT', path, { Subscribed: true, Notify: true });
    expect([status, body.Subscribed, body.Notify, body.DocumentName]).toEqual([200, true, true, 'a.txt']);
    const { DocumentSubscriptionID, DocumentSubscriptionCreatedOn } = (
      await owner.rest('GET', `${base}/documents/${id}`)
    ).body;
    expect([DocumentSubscriptionID, DocumentSubscriptionCreatedOn]).toEqual([body.ID, body.CreatedOn]);
    const list = await owner.rest('GET', `${organizationPath}/documentSubscriptions`);
    expect(list.body.DocumentSubscriptions).toEqual([body]);
    expect((await owner.rest('PUT', path, { Subscribed: false })).body.Subscribed).toBe(false);
    expect(
      (await owner.rest('GET', `${organizationPath}/documentSubscriptions`)).body.DocumentSubscriptions,
    ).toEqual([]);
  });

  it('belong to one person, and need no role', async () => {
    const { db, owner, stranger, organization, project, organizationPath, path } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, guest, 'VIEWER');
    expect((await guest.rest('PUT', path, { Subscribed: true })).status).toBe(200);
    expect((await owner.rest('GET', path)).body.Subscribed).toBe(false);
    expect(
      (await owner.rest('GET', `${organizationPath}/documentSubscriptions`)).body.DocumentSubscriptions,
    ).toEqual([]);
    expect((await stranger.rest('PUT', path, { Subscribed: true })).status).toBe(404);
  });

  it('change with a document package, and are unchanged if it has no such member', async () => {
    const { owner, base, id, path } = await setUp();
    const save = (body: object) => owner.rest('PUT', `${base}/documentPackages/${id}`, body);
    expect(
      (await save({ DocumentSubscription: { Subscribed: true } })).body.DocumentSubscription,
    ).toMatchObject({
      Subscribed: true,
    });
    expect((await save({ Document: { Name: 'b.txt' } })).body.DocumentSubscription.Subscribed).toBe(true);
    await save({ DocumentSubscription: { Subscribed: false } });
    expect((await owner.rest('GET', path)).body.Subscribed).toBe(false);
  });
});
