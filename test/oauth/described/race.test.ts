import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { secondPool, testDatabase } from '../../support/database.ts';
import { appOn, browser, signedIn } from '../../support/oauth.ts';
import { documentServer } from '../../support/servers/document-server.ts';
import { newPerson } from '../../support/world.ts';
import { askFor } from './world.ts';

const PEOPLE = 8;
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 5);

describe.runIf(process.env.TEST_DATABASE_URL)('two processes', { timeout: 120_000 }, () => {
  let second: Database;
  let apps: Hono[];
  let documents: Awaited<ReturnType<typeof documentServer>>;

  beforeAll(async () => {
    documents = await documentServer();
    second = await secondPool();
    const limits = { authorizeRequests: 0 };
    const options = { documentExceptions: documents.exceptions };
    apps = [await appOn(await testDatabase(), limits, options), await appOn(second, limits, options)];
  });
  afterAll(async () => {
    documents.close();
    await second.close();
  });

  it('store one application for the first consents of several people', async () => {
    const db = await testDatabase();
    for (let round = 0; round < ROUNDS; round++) {
      const url = documents.publish(documents.newUrl());
      const people = await Promise.all(Array.from({ length: PEOPLE }, () => newPerson(db)));
      const answers = await Promise.all(
        people.map(async ({ id }, index) =>
          browser(apps[index % 2] as Hono, await signedIn(db, id)).approve(askFor(url)),
        ),
      );
      const { id } = await db.prisma.client.findUniqueOrThrow({ where: { metadataUrl: url } });
      expect(answers.map((answer) => answer.searchParams.has('code'))).toEqual(Array(PEOPLE).fill(true));
      expect(await db.prisma.grant.count({ where: { clientId: id } })).toBe(PEOPLE);
      expect(documents.countOf(url)).toBeLessThanOrEqual(2);
    }
  });
});
