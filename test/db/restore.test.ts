import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { blocksIn } from '../docs/blocks.ts';
import { chainFault } from '../support/chain.ts';
import { emptyDatabase } from '../support/database.ts';
import { newDocuments } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

const hasPrograms = ['pg_dump', 'rsync'].every((program) => spawnSync(program, ['--version']).status === 0);

it.runIf(process.env.TEST_DATABASE_URL && hasPrograms)(
  'a dump is restored as docs/operations.md says, with what can be searched in it (needs PostgreSQL, pg_dump and rsync)',
  async () => {
    const [from, to] = [await emptyDatabase(), await emptyDatabase()];
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-dump-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'backup/docgraph.dump');
    const options = { pool: 3, statementTimeout: 30_000 };
    const before = await openPostgres({ url: from, ...options });
    const { owner, organization, project } = await newWorld(before);
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'Quay wall.txt' }]);
    const { blobId } = await before.prisma.revision.findFirstOrThrow({ where: { documentId: document?.id } });
    await before.query(sql`INSERT INTO search_texts (organization_id, blob_id, number, text)
      VALUES (${organization.id}, ${blobId}, 1, 'Granite from the north')`);
    await before.close();

    mkdirSync(join(folder, 'data/files'), { recursive: true });
    writeFileSync(join(folder, 'data/files/blob'), 'content');
    for (const [, { text }] of blocksIn('sh', 'run-by').filter(([, { text }]) => text.includes('pg_dump')))
      execFileSync('bash', ['-ec', text], { cwd: folder, env: { ...process.env, DATABASE_URL: from } });
    expect(readFileSync(join(folder, 'backup/files/blob'), 'utf8')).toBe('content');
    execFileSync('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${to}`, file]);

    const after = await openPostgres({ url: to, ...options });
    onTestFinished(() => after.close());
    const vectors = (table: string) =>
      after.query<{ words: string[] }>(
        sql`SELECT tsvector_to_array(vector) AS words FROM ${sql.raw(table)} WHERE organization_id = ${organization.id}`,
      );
    expect(
      (await vectors('search_texts')).flatMap(({ words }) => words.map((word) => word.slice(6))),
    ).toContain('granite');
    expect(
      (await vectors('search_entries')).flatMap(({ words }) => words.map((word) => word.slice(6))),
    ).toContain('quay');
    expect(await chainFault(after, organization.id)).toBeUndefined();
  },
);
