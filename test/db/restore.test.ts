import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { chainFault } from '../support/chain.ts';
import { emptyDatabase } from '../support/database.ts';
import { newDocuments } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

const hasDump = (() => {
  try {
    return execFileSync('pg_dump', ['--version'], { stdio: 'pipe' }).length > 0;
  } catch {
    return false;
  }
})();

it.runIf(process.env.TEST_DATABASE_URL && hasDump)(
  'a dump is restored as docs/operations.md says, with what can be searched in it (needs PostgreSQL and pg_dump)',
  async () => {
    const [from, to] = [await emptyDatabase(), await emptyDatabase()];
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-dump-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'docgraph.dump');
    const options = { pool: 3, statementTimeout: 30_000 };
    const before = await openPostgres({ url: from, ...options });
    const { owner, organization, project } = await newWorld(before);
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'Quay wall.txt' }]);
    const { blobId } = await before.prisma.revision.findFirstOrThrow({ where: { documentId: document?.id } });
    await before.query(sql`INSERT INTO search_texts (organization_id, blob_id, number, text)
      VALUES (${organization.id}, ${blobId}, 1, 'Granite from the north')`);
    await before.close();

    execFileSync('pg_dump', ['--format=custom', `--file=${file}`, from]);
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
