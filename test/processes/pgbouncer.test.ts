import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { createApp } from '../../src/http/server.ts';
import { chainFault } from '../support/chain.ts';
import { emptyDatabase } from '../support/database.ts';
import { hasPgBouncer, startPgBouncer } from '../support/servers/pgbouncer.ts';
import { testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

const server = process.env.TEST_DATABASE_URL;

it.runIf(server && hasPgBouncer)(
  'two pools behind PgBouncer in transaction mode serve reads and racing writes (needs PostgreSQL and pgbouncer)',
  async () => {
    const bouncer = await startPgBouncer(server as string);
    onTestFinished(bouncer.stop);
    const url = bouncer.urlOf(await emptyDatabase());
    const open = () => openPostgres({ url, pool: 10, statementTimeout: 10_000 });
    const databases = [await open(), await open()] as const;
    const [db] = databases;
    const { owner, organization, project } = await newWorld(db);
    const storage = await testStorage(db);
    const apps = databases.map((each) =>
      createApp({ config, db: each, storage, log: pino({ level: 'silent' }) }),
    );
    const graph = async (turn: number, query: string) => {
      const answer = await apps[turn % 2]?.request('/graphql', {
        method: 'POST',
        headers: { Authorization: `Bearer ${owner.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return (await answer?.json()) as { errors?: unknown };
    };
    const read = `{ organization(id: "${organization.id}") { projects { nodes { name folders { nodes { name } } } } } }`;
    const write = (turn: number) =>
      `mutation { createFolders(input: {projectId: "${project.id}", folders: [{name: "f${turn}"}]}) { folders { id } } }`;
    for (let round = 0; round < 10; round++) {
      const turns = Array.from({ length: 40 }, (_, index) => round * 40 + index);
      const answers = await Promise.all(turns.map((turn) => graph(turn, turn % 4 ? read : write(turn))));
      expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([]);
    }
    expect(await db.prisma.folder.count({ where: { projectId: project.id } })).toBe(100);
    expect(await chainFault(db, organization.id)).toBeUndefined();
    for (const each of databases) await each.close();
  },
  180_000,
);
