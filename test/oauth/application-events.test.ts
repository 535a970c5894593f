import { describe, expect, it } from 'vitest';
import { verifyChains } from '../../src/domain/events/audit-verify.ts';
import { newOAuthWorld } from '../support/oauth.ts';
import { newDocuments } from '../support/storage.ts';

const APPLICATION = 'createdBy { id } application { clientId name }';

/** An organization, and an application that acts for its owner. */
async function setUp() {
  const world = await newOAuthWorld();
  const application = await world.owner.with((await world.tokens()).access_token);
  return { ...world, application, ctx: await world.owner.context() };
}

describe('an event names the application that acted', () => {
  it('beside its user, over either API, and is covered by the hash chain', async () => {
    const { db, owner, application, organization, project, ctx, confidential } = await setUp();
    const [document] = await newDocuments(ctx, project.id, [{ name: 'plan.txt' }]);
    const input = { documentId: document?.id, texts: ['checked'] };
    const create = `mutation ($input: CreateCommentsInput!) { createComments(input: $input) { comments { ${APPLICATION} } } }`;
    const named = {
      createdBy: { id: owner.id },
      application: { clientId: confidential.id, name: 'Planner' },
    };
    expect((await application.graph(create, { input })).data.createComments.comments).toEqual([named]);
    await owner.graph(create, { input });
    const { data } = await owner.graph(
      `query ($id: ID!) { document(id: $id) { events(first: 9) { nodes { kind ${APPLICATION} } } comments { nodes { ${APPLICATION} } } } }`,
      { id: document?.id },
    );
    const direct = { createdBy: { id: owner.id }, application: null };
    expect(data.document.comments.nodes).toEqual([named, direct]);
    expect(data.document.events.nodes.slice(-2)).toEqual([
      { kind: 'document.commented', ...named },
      { kind: 'document.commented', ...direct },
    ]);
    const path = `/organizations/${organization.id}/projects/${project.id}/documents/${document?.id}`;
    for (const list of ['events', 'comments'])
      expect((await owner.rest('GET', `${path}/${list}`)).body.DocumentEvents.slice(0, 2)).toMatchObject([
        { ApplicationID: '', ApplicationName: '', CreatedByUserID: owner.id },
        { ApplicationID: confidential.id, ApplicationName: 'Planner', CreatedByUserID: owner.id },
      ]);
    const verdicts = [];
    for await (const verdict of verifyChains(db, organization.id)) verdicts.push(verdict.finding);
    expect(verdicts).toEqual([undefined]);
    await db.prisma.event.updateMany({ where: { clientId: confidential.id }, data: { clientId: null } });
    for await (const { finding } of verifyChains(db, organization.id)) expect(finding).toBeDefined();
  });

  it('also after the grant is swept; an older event only until then', async () => {
    const { db, owner, application, organization, confidential } = await setUp();
    await application.graph(
      'mutation ($id: ID!) { updateOrganization(input: { organizationId: $id, name: "Dock" }) { organization { id } } }',
      { id: organization.id },
    );
    const feed = `query ($id: ID!) { organization(id: $id) { events(last: 9, kinds: ["organization.updated"]) { nodes { application { clientId } } } } }`;
    const eventNodes = async () =>
      (await owner.graph(feed, { id: organization.id })).data.organization.events.nodes;
    const where = { organizationId: organization.id, kind: 'organization.updated' };
    await db.prisma.event.updateMany({ where, data: { clientId: null } });
    expect(await eventNodes()).toEqual([{ application: { clientId: confidential.id } }]);
    await db.prisma.grant.deleteMany({ where: { clientId: confidential.id } });
    expect(await eventNodes()).toEqual([{ application: null }]);
    await db.prisma.event.updateMany({ where, data: { clientId: confidential.id } });
    expect(await eventNodes()).toEqual([{ application: { clientId: confidential.id } }]);
  });
});
