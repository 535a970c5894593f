import { writeSync } from 'node:fs';
import { openPglite } from '../../../src/db/pglite/pglite.ts';

/** Run by tests: `pglite-fill.ts <folder>` writes rows and much log, with a line for each on stdout, until it cannot continue. */
const db = await openPglite({ folder: process.argv[2] });
await db.execute('CREATE TABLE filled (number int)', []);
writeSync(1, 'open\n');
for (let number = 1; ; number++) {
  const { rows } = await db.execute(
    `INSERT INTO filled SELECT $1::int FROM pg_logical_emit_message(false, '', repeat('x', 200000)) RETURNING number`,
    [number],
  );
  if (rows.length === 1) writeSync(1, `acknowledged ${number}\n`);
}
