import { writeSync } from 'node:fs';
import { openPglite } from '../../../src/db/pglite/pglite.ts';
import { sql } from '../../../src/db/sql/sql.ts';

/**
 * Run by tests under strace: `pglite-commits.ts <folder> <commits> <at once>`. Commits a row with a marker each, some as a
 * transaction of Prisma's, with a checkpoint halfway, and writes a line to stdout after each acknowledgement.
 */
const [folder = '', commits = '0', atOnce = '1'] = process.argv.slice(2);
const db = await openPglite({ folder, dump: process.env.TEST_DATABASE_DUMP });
await db.execute('CREATE TABLE IF NOT EXISTS committed (text text)', []);
let number = 0;
async function commitAll(): Promise<void> {
  while (number < Number(commits)) {
    const marker = `marker-${String(++number).padStart(6, '0')}`;
    if (number === Number(commits) / 2) await db.execute('CHECKPOINT', []);
    // Twice: one of them is whole in the trace where the record lies across two pages of the log.
    const text = `${marker} ${'.'.repeat(64)} ${marker}`;
    if (number % 2) await db.execute('INSERT INTO committed VALUES ($1)', [text]);
    else await db.transact(({ query }) => query(sql`INSERT INTO committed VALUES (${text})`));
    writeSync(1, `acknowledged ${marker}\n`);
  }
}
await Promise.all(Array.from({ length: Number(atOnce) }, commitAll));
await db.close();
