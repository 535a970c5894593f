import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewerOfBearer } from '../../../src/auth/bearer.ts';
import type { Database } from '../../../src/db/database.ts';
import { decideApplication, revokeApplication } from '../../../src/domain/oauth/application-change.ts';
import { updateOrganization } from '../../../src/domain/organizations/organization.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { newId } from '../../../src/lib/id.ts';
import { secondPool } from '../../support/database.ts';
import { ask, newClient, newOAuthWorld } from '../../support/oauth.ts';

const ROUNDS = Number(process.env.RACE_ROUNDS ?? 10);
const AT_ONCE = 20;

/** An application of another organization that acts for the owner, and how its changes end. */
async function newForeignApplication() {
  const world = await newOAuthWorld();
  const { db, owner, stranger, organization, user } = world;
  const theirs = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  const client = await newClient(stranger, theirs.organizationId);
  const token = async () => {
    const { body } = await world.redeem(client, await user.code(ask(client)));
    return body.access_token as string;
  };
  const path = { organizationId: organization.id, clientId: client.id };
  /** The context of a request as it begins. */
  const begin = async (on: Database, access: string) => {
    const viewer = await viewerOfBearer(on, access);
    if (!viewer) throw new Error('the token is not live');
    return { ...(await owner.context()), db: on, viewer };
  };
  return { ...world, client, token, path, begin };
}

describe.runIf(process.env.TEST_DATABASE_URL)('an application and its organization at the same time', () => {
  let second: Database;
  beforeAll(async () => {
    second = await secondPool();
  });
  afterAll(() => second.close());

  it.each([
    ['the policy becomes NONE', 'organization.updated'],
    ['it is refused', 'application.refused'],
    ['it is revoked for all', 'application.revoked'],
  ])('commit no change after %s, whatever began before', { timeout: 120_000 }, async (_, kind) => {
    const world = await newForeignApplication();
    const { owner, db, organization, path } = world;
    const organizationId = organization.id;
    for (let round = 0; round < ROUNDS; round++) {
      const ctx = await owner.context();
      const allow = { organizationId, applicationPolicy: 'OPEN' as const };
      await updateOrganization(ctx, allow);
      await decideApplication(ctx, { ...path, decision: null });
      const access = await world.token();
      const begun = await Promise.all(Array.from({ length: AT_ONCE }, () => world.begin(second, access)));
      const close = {
        'organization.updated': () => updateOrganization(ctx, { ...allow, applicationPolicy: 'NONE' }),
        'application.refused': () => decideApplication(ctx, { ...path, decision: 'REFUSED' }),
        'application.revoked': () => revokeApplication(ctx, path),
      }[kind] as () => Promise<unknown>;
      const write = async (index: number) => {
        await new Promise((resolve) => setTimeout(resolve, index));
        const projects = [{ name: newId('Project') }];
        return createProjects(begun[index] as (typeof begun)[0], { organizationId, projects });
      };
      const [written] = await Promise.all([
        Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => write(index))),
        new Promise((resolve) => setTimeout(resolve, round % 10)).then(close),
      ]);
      const refusals = written.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
      expect(refusals.every((code) => code === 'FORBIDDEN')).toBe(true);
      const events = await db.prisma.event.findMany({
        where: { organizationId },
        orderBy: { sequence: 'desc' },
      });
      const closedAt = events.findIndex((event) => event.kind === kind);
      expect(events.slice(0, closedAt).filter(({ clientId }) => clientId !== null)).toEqual([]);
      expect((await viewerOfBearer(second, access))?.memberships).toEqual([]);
    }
  });

  it('use no token in the organization that was issued while it closed', { timeout: 120_000 }, async () => {
    const world = await newForeignApplication();
    const { owner, organization, user, client } = world;
    const organizationId = organization.id;
    const ctx = await owner.context();
    for (let round = 0; round < ROUNDS; round++) {
      await updateOrganization(ctx, { organizationId, applicationPolicy: 'OPEN' });
      const code = await user.code(ask(client));
      const [answer] = await Promise.all([
        world.redeem(client, code),
        updateOrganization(ctx, { organizationId, applicationPolicy: 'NONE' }),
      ]);
      if (answer.status === 200)
        expect((await viewerOfBearer(second, answer.body.access_token))?.memberships).toEqual([]);
      else expect(answer.body.error).toBe('invalid_grant');
    }
  });
});
