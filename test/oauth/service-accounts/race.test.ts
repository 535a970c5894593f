import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { removeMembers } from '../../../src/domain/membership/member-change.ts';
import { deleteClients } from '../../../src/domain/service-accounts/client-deletion.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
} from '../../../src/domain/service-accounts/service-account.ts';
import { secondPool } from '../../support/database.ts';
import { appOn, newClient, post, type TestClient } from '../../support/oauth.ts';
import { newServiceWorld } from './service-world.ts';

const ROUNDS = Number(process.env.RACE_ROUNDS ?? 10);
const AT_ONCE = 20;

describe.runIf(process.env.TEST_DATABASE_URL)('service accounts at the same time', () => {
  let second: Database;
  beforeAll(async () => {
    second = await secondPool();
  });
  afterAll(() => second.close());

  /** Requests of tokens at two processes by turns: those that were issued, and the refusals. */
  async function requestsOf(apps: Awaited<ReturnType<typeof appOn>>[], client: TestClient) {
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        post(apps[index % apps.length] as (typeof apps)[0], '/oauth/token', form),
      ),
    );
    return {
      tokens: answers.flatMap(({ body }) => (body.access_token ? [body.access_token as string] : [])),
      refusals: answers.flatMap(({ body }) => (body.error ? [body.error as string] : [])),
    };
  }

  it('are created once by many requests', { timeout: 60_000 }, async () => {
    const { owner, confidential, db } = await newServiceWorld();
    const ctx = await owner.context();
    const created = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (_, index) =>
        createServiceAccount(
          { ...ctx, db: index % 2 ? db : second },
          { clientId: confidential.id, role: 'MEMBER' },
        ),
      ),
    );
    const refusals = created.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(refusals).toEqual(Array(AT_ONCE - 1).fill('CONFLICT'));
  });

  it('get as many tokens as they request, below one grant', { timeout: 60_000 }, async () => {
    const { db, app, confidential, create, api } = await newServiceWorld();
    await create();
    const { tokens } = await requestsOf([app, await appOn(second)], confidential);
    expect(new Set(tokens).size).toBe(AT_ONCE);
    expect(await Promise.all(tokens.map((each) => api(each)))).toEqual(Array(AT_ONCE).fill(200));
    expect(await db.prisma.grant.count({ where: { clientId: confidential.id } })).toBe(1);
  });

  it.each([
    'deleteServiceAccount',
    'removeMembers',
    'deleteClients',
  ] as const)('have no live token after %s, whatever was being issued, nor after they are created again', {
    timeout: 120_000,
  }, async (end) => {
    const { app, owner, organization, create, api, db } = await newServiceWorld();
    const apps = [app, await appOn(second)];
    for (let round = 0; round < ROUNDS; round++) {
      const client = await newClient(owner, organization.id);
      const member = (await create('MEMBER', client.id)).data.createServiceAccount.member;
      const ctx = await owner.context();
      const ending: () => Promise<unknown> = {
        deleteServiceAccount: () => deleteServiceAccount(ctx, { clientId: client.id }),
        removeMembers: () => removeMembers(ctx, { organizationId: organization.id, memberIds: [member.id] }),
        deleteClients: () => deleteClients(ctx, { clientIds: [client.id] }),
      }[end];
      const [{ tokens, refusals }] = await Promise.all([
        requestsOf(apps, client),
        new Promise((resolve) => setTimeout(resolve, round * 3)).then(ending),
      ]);
      expect([...new Set(refusals)].filter((each) => !/^(unauthorized|invalid)_client$/.test(each))).toEqual(
        [],
      );
      if (end !== 'deleteClients') await create('MEMBER', client.id);
      const statuses = await Promise.all(tokens.map((each) => api(each)));
      expect(statuses).toEqual(tokens.map(() => 401));
      expect(await db.prisma.user.count({ where: { serviceClientId: client.id } })).toBe(1);
    }
  });

  it('are revoked while they are issued, without an error', { timeout: 120_000 }, async () => {
    const { app, confidential, create, request, revoke, api } = await newServiceWorld();
    await create();
    for (let round = 0; round < ROUNDS; round++) {
      const old = (await request()).body.access_token as string;
      const [{ tokens, refusals }] = await Promise.all([
        requestsOf([app, await appOn(second)], confidential),
        revoke(confidential, old),
      ]);
      expect([refusals, tokens.length, await api(old)]).toEqual([[], AT_ONCE, 401]);
      expect(await api((await request()).body.access_token)).toBe(200);
    }
  });
});
