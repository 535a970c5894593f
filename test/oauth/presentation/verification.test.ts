import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/admin/commands.ts';
import { newId } from '../../../src/lib/id.ts';
import { appOn, ask, browser, newClient, signedIn } from '../../support/oauth.ts';
import { testStorage } from '../../support/storage.ts';
import { config, newMember } from '../../support/world.ts';
import { newPresentedWorld, picture } from './presented.ts';

/** An application that the operator can verify on the command line. */
async function newVerifiableWorld() {
  const world = await newPresentedWorld();
  const { db, confidential } = world;
  const site = { db, storage: await testStorage(db), limits: config.limits };
  const command = (values: Record<string, string> = {}) =>
    COMMANDS['verify-application']?.run(site, { client_id: confidential.id, ...values }) as Promise<string>;
  return {
    ...world,
    command,
    isVerified: async () => (await world.stored()).verifiedAt !== null,
    /** The consent page as somebody sees it. */
    async consentOf({ id }: { id: string }) {
      const visitor = browser(await appOn(db), await signedIn(db, id));
      return (await visitor.authorize(ask(confidential))).text();
    },
  };
}

describe('the verification of an application', () => {
  it('is made and taken back on the command line, which prints what is verified, with events', async () => {
    const { command, isVerified, kinds, updated, db, confidential } = await newVerifiableWorld();
    await updated({ homePageUrl: 'https://planner.example/' });
    expect((await command()).split('\n')).toEqual([
      `Planner (${confidential.id}) is verified:`,
      '  publisher: Harbor',
      '  home page: https://planner.example/',
      '  logo: none',
      '  redirect address: https://app.example/callback',
    ]);
    expect(await isVerified()).toBe(true);
    await expect(command()).rejects.toMatchObject({ code: 'CONFLICT' });
    await command({ revoke: 'true' });
    expect(await isVerified()).toBe(false);
    await expect(command({ revoke: 'true' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await kinds()).slice(2)).toEqual(['client.verified', 'client.verificationRevoked']);
    const ofIt = { subjectId: confidential.id, kind: 'client.verified' };
    const verified = await db.prisma.event.findFirstOrThrow({ where: ofIt });
    expect(verified).toMatchObject({
      actorId: null,
      requestId: 'admin',
      data: { after: { publisher: 'Harbor' } },
    });
  });

  it('is refused for what is no application, or a deleted one', async () => {
    const { command, owner, organization, db } = await newVerifiableWorld();
    const resourceUri = 'https://api.example/';
    const facts = { kind: 'RESOURCE_SERVER' as const, redirectUris: [], scopes: [], resourceUri };
    const server = await newClient(owner, organization.id, facts);
    await expect(command({ client_id: server.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    const deleted = await newClient(owner, organization.id);
    await db.prisma.client.update({ where: { id: deleted.id }, data: { deletedAt: new Date() } });
    for (const id of [deleted.id, newId('Client'), organization.id])
      await expect(command({ client_id: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ends with a change of what people recognise it by, in the same transaction', async () => {
    const { command, isVerified, kinds, updated, update } = await newVerifiableWorld();
    for (const input of [
      { name: 'Other' },
      { homePageUrl: 'https://other.example/' },
      { homePageUrl: '' },
      { logo: await picture('png', 64, 64) },
      { removeLogo: true },
      { redirectUris: ['https://other.example/callback'] },
    ]) {
      await command();
      const { verifiedAt } = await updated(input);
      expect([input, verifiedAt, await isVerified()]).toEqual([input, null, false]);
      expect((await kinds()).slice(-3)).toEqual([
        'client.verified',
        'client.updated',
        'client.verificationRevoked',
      ]);
    }
    await command();
    await update({ name: 'Third', redirectUris: ['http://no.example/'] });
    await updated({ name: 'Other', scopes: ['READ'], privacyUrl: 'https://other.example/privacy' });
    expect([await isVerified(), (await kinds()).at(-1)]).toEqual([true, 'client.updated']);
  });

  it('ends with a new name of the publisher, for all its applications and no others', async () => {
    const { command, owner, stranger, organization, open: _, db, ...world } = await newVerifiableWorld();
    const theirs = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
    const other = await newClient(stranger, theirs.organizationId);
    for (const id of [world.confidential.id, other.id]) await command({ client_id: id });
    const rename = (input: object) =>
      owner.graph(
        'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { name } } }',
        { input: { organizationId: organization.id, ...input } },
      );
    await rename({ applicationPolicy: 'OPEN' });
    expect(await world.isVerified()).toBe(true);
    expect((await rename({ name: 'Great Bank' })).errors).toBeUndefined();
    expect([await world.isVerified(), (await world.kinds()).at(-1)]).toEqual([
      false,
      'client.verificationRevoked',
    ]);
    expect(await db.prisma.client.findUnique({ where: { id: other.id } })).toMatchObject({
      verifiedAt: expect.any(Date),
    });
  });

  it('is of what is there when it is made, whatever changes at the same moment', async () => {
    const { command, isVerified, updated, owner, organization, db, confidential } =
      await newVerifiableWorld();
    const rename = (name: string) =>
      owner.graph(
        'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { __typename } }',
        {
          input: { organizationId: organization.id, name },
        },
      );
    for (let round = 0; round < 12; round++) {
      const name = `Name ${round}`;
      await Promise.all([command(), round % 2 ? updated({ name }) : rename(name)]);
      const { data } = await db.prisma.event.findFirstOrThrow({
        where: { subjectId: confidential.id, kind: 'client.verified' },
        orderBy: { sequence: 'desc' },
      });
      const { after } = data as { after: { name: string; publisher: string } };
      const isOfNewName = [after.name, after.publisher].includes(name);
      expect(await isVerified()).toBe(isOfNewName);
      if (isOfNewName) await command({ revoke: 'true' });
    }
  });

  it('cannot be set through the API', async () => {
    const { update, isVerified } = await newVerifiableWorld();
    const { errors } = await update({ verifiedAt: '2026-01-01T00:00:00Z' });
    expect(errors?.[0]?.message).toContain('verifiedAt');
    expect(await isVerified()).toBe(false);
  });

  it('is on the consent page, where others see that there is none and members whose application it is', async () => {
    const { db, command, consentOf, owner, stranger, organization } = await newVerifiableWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    const texts = async () =>
      Promise.all(
        [owner, guest, stranger].map(
          async (person) => /<dd class="(verified|own|unverified)">/.exec(await consentOf(person))?.[1],
        ),
      );
    expect(await texts()).toEqual(['own', 'unverified', 'unverified']);
    await command();
    expect(await texts()).toEqual(['verified', 'verified', 'verified']);
    expect(await consentOf(stranger)).toContain('Verified by the operator of this installation');
  });
});
