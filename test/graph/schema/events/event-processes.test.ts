import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/db/database.ts';
import { openPostgres } from '../../../../src/db/postgres/postgres.ts';
import { createOrganization } from '../../../../src/domain/organizations/organization.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { MINUTE } from '../../../../src/lib/time.ts';
import { emptyDatabase } from '../../../support/database.ts';
import { type ServerProcess, startServers } from '../../../support/servers/processes.ts';
import { newReceiver } from '../../../support/servers/receiver.ts';
import { type Reader, subscribe } from '../../../support/sse.ts';
import { newDocuments } from '../../../support/storage.ts';
import { config, newPerson, type Person } from '../../../support/world.ts';

const FOLLOW = `subscription ($id: ID!, $after: BigInt) { eventAppended(organizationId: $id, after: $after) { sequence kind } }`;

const FOLLOW_TEXTS = `subscription ($org: ID!, $ids: [ID!]!) { documentTextChanged(organizationId: $org, documentIds: $ids) { textError } }`;

describe.runIf(process.env.TEST_DATABASE_URL)(
  'events of two server processes',
  { timeout: 3 * MINUTE },
  () => {
    let db: Database;
    let servers: ServerProcess[];
    let owner: Person;
    let organizationId: string;

    beforeAll(async () => {
      const url = await emptyDatabase();
      process.env.WEBHOOK_ALLOW_PRIVATE = 'true';
      servers = await startServers(2, url, config.publicUrl).finally(
        () => delete process.env.WEBHOOK_ALLOW_PRIVATE,
      );
      db = await openPostgres({ url, pool: 2, statementTimeout: 10_000 });
      owner = await newPerson(db);
      organizationId = (await createOrganization(await owner.context(), { name: 'Harbor' })).id;
    }, 3 * MINUTE);

    afterAll(async () => {
      await Promise.all((servers ?? []).map((each) => each.stop()));
      await db?.close();
    });

    const graph = async (index: number, query: string, variables: object) => {
      const answer = await fetch(`${servers[index]?.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      return (await answer.json()) as {
        data: { createWebhooks: { created: { webhook: { id: string } }[] } };
      };
    };

    const project = (index: number, name: string) =>
      graph(
        index,
        'mutation ($id: ID!, $name: String!) { createProjects(input: { organizationId: $id, projects: [{ name: $name }] }) { __typename } }',
        {
          id: organizationId,
          name,
        },
      );

    const follow = (index: number, after: number): Promise<Reader> =>
      subscribe(servers[index]?.url as string, owner.key, FOLLOW, { id: organizationId, after });

    it('reach the subscribers of each from the other, also after its listening connection was cut', async () => {
      const reader = await follow(1, 2);
      await project(0, 'one');
      expect((await reader.take(1))[0]?.id).toBe('3');
      await db.prisma.$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'docgraph events' AND datname = current_database()`;
      await project(0, 'two');
      expect((await reader.take(1))[0]?.id).toBe('4');
      reader.cut();
    });

    it('report the extraction of a text at both, whichever process extracts it', async () => {
      const ctx = await owner.context();
      const [created] = await createProjects(ctx, { organizationId, projects: [{ name: 'Texts' }] });
      const [document] = await newDocuments(ctx, created?.id as string, [{ name: 'a.txt' }]);
      const variables = { org: organizationId, ids: [document?.id] };
      const readers = await Promise.all(
        servers.map(({ url }) => subscribe(url, owner.key, FOLLOW_TEXTS, variables)),
      );
      // The file is in the tests' storage, which the servers cannot read.
      for (const reader of readers) {
        let error: string | null = null;
        while (error === null) error = (await reader.next())?.json.data.documentTextChanged.textError;
        expect(error).toBe('The storage did not give the file.');
        reader.cut();
      }
    });

    it('continue at the other process after the first was cut', async () => {
      const first = await follow(0, 0);
      const read = (await first.take(3)).map(({ id }) => id);
      first.cut();
      const second = await follow(1, Number(read.at(-1)));
      read.push((await second.take(1))[0]?.id);
      expect(read).toEqual(['1', '2', '3', '4']);
      second.cut();
    });

    it('are sent to a webhook again if the process was killed between sending and recording it', async () => {
      let killed = false;
      const { url, received, close } = await newReceiver((response) => {
        if (!killed) void servers[0]?.end('SIGKILL');
        else response.end('ok');
        killed = true;
      });
      const webhook = await graph(
        0,
        'mutation ($id: ID!, $url: String!) { createWebhooks(input: { organizationId: $id, webhooks: [{ url: $url, kinds: ["project.*"] }] }) { created { webhook { id } } } }',
        {
          id: organizationId,
          url,
        },
      );
      const { id } = webhook.data.createWebhooks.created[0]?.webhook as { id: string };
      await project(0, 'three');
      while (!killed) await new Promise((resolve) => setTimeout(resolve, 50));
      await db.prisma.webhook.update({ where: { id }, data: { busyUntil: new Date(0) } });
      while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
      close();
      expect(new Set(received.map(({ headers }) => headers['docgraph-event-id'])).size).toBe(1);
    });

    it('are cut when the server stops, so that clients connect again, and it does not wait for them', async () => {
      const reader = await follow(1, 0);
      await reader.take(1);
      const stopped = servers[1]?.stop();
      const rest: unknown[] = [];
      for (let frame = await reader.next(); frame; frame = await reader.next())
        rest.push(frame.json?.errors ?? frame.event);
      await stopped;
      expect(new Set(rest)).toEqual(new Set(['next']));
    });
  },
);
