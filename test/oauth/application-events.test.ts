import { describe, expect, it } from 'vitest';
import { verifyChains } from '../../src/domain/events/audit-verify.ts';
import { inviteMembers } from '../../src/domain/membership/invitation-create.ts';
import { deleteClients } from '../../src/domain/oauth/client-change.ts';
import { revokeAuthorization } from '../../src/domain/oauth/grant.ts';
import { newOAuthWorld, type TestClient } from '../support/oauth.ts';
import { newDocuments } from '../support/storage.ts';

const APPLICATION = 'createdBy { id } application { clientId name }';

/** An organization, an application that acts for its owner, and a function that creates an invitation as applications formerly could. */
async function setUp() {
  const world = await newOAuthWorld();
  const { db, owner, organization, tokens, confidential } = world;
  const application = await owner.with((await tokens()).access_token);
  const ctx = await owner.context();
  /** An invitation that an application created for the owner before this was refused. */
  const invite = async (email: string, client?: TestClient) => {
    const members = [{ email, role: 'MEMBER' as const }];
    const {
      invitations: [invitation],
    } = await inviteMembers(ctx, { organizationId: organization.id, members });
    const where = { id: invitation?.id as string };
    return db.prisma.invitation.update({ where, data: { clientId: client?.id } });
  };
  const invited = async () =>
    (
      await db.prisma.invitation.findMany({
        where: { organizationId: organization.id },
        orderBy: { email: 'asc' },
      })
    ).map(({ email }) => email);
  return { ...world, application, ctx, invite, invited, confidential };
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

describe('an invitation that an application created', () => {
  it('ends when its creator revokes the grant, and others remain', async () => {
    const { db, ctx, invite, invited, confidential, open, stranger } = await setUp();
    const invitation = await invite(stranger.email, confidential);
    await invite('direct@example.test');
    await invite('other@example.test', open);
    await revokeAuthorization(ctx, { clientId: confidential.id });
    expect(await invited()).toEqual(['direct@example.test', 'other@example.test']);
    const [event] = await db.prisma.event.findMany({
      where: { subjectId: invitation.id, kind: { endsWith: 'withdrawn' } },
    });
    expect(event).toMatchObject({
      kind: 'invitation.withdrawn',
      actorId: null,
      data: {
        before: { email: stranger.email, role: 'MEMBER' },
        reason: 'authorization_ended',
        clientId: confidential.id,
      },
    });
    const accept = 'mutation ($id: ID!) { acceptInvitation(input: { invitationId: $id }) { member { id } } }';
    const { errors } = await stranger.graph(accept, { id: invitation.id });
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  it('remains while another authorization of the same application exists', async () => {
    const { invite, invited, tokens, revoke, confidential, stranger } = await setUp();
    const second = await tokens();
    await invite(stranger.email, confidential);
    await revoke(confidential, second.refresh_token);
    expect(await invited()).toEqual([stranger.email]);
  });

  it('ends with the application itself', async () => {
    const { ctx, invite, invited, confidential, stranger } = await setUp();
    await invite(stranger.email, confidential);
    await deleteClients(ctx, { clientIds: [confidential.id] });
    expect(await invited()).toEqual([]);
  });
});
