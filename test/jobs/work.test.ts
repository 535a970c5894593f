import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { work } from '../../src/jobs/work.ts';
import { newDatabase } from '../support/database.ts';
import { jobContext } from '../support/jobs.ts';

/** A log whose errors about mails are counted. */
function countingLog() {
  const counted = { failures: 0 };
  const write = (line: string) => {
    if (line.includes('"work":"mail"')) counted.failures += 1;
  };
  const log = pino(
    { level: 'error' },
    new Writable({ write: (line, _, done) => done(write(String(line)) as never) }),
  );
  return { counted, log };
}

it('a worker pauses after three failures in a row', async () => {
  const db = await newDatabase();
  const ctx = await jobContext(db);
  const { counted, log } = countingLog();
  await db.query(sql`ALTER TABLE mails RENAME TO mails_elsewhere`);
  const working = work({ ...ctx, log });
  onTestFinished(async () => {
    await working.stop();
    await db.close();
  });
  const isFailing = () => expect(counted.failures).toBeGreaterThanOrEqual(6);
  await vi.waitFor(isFailing, { timeout: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(counted.failures).toBeLessThan(12);
});
