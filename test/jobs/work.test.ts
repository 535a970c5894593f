import { Writable } from 'node:stream';
import pino from 'pino';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { work } from '../../src/jobs/work.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';

beforeEach(() => dropJobs());

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
  const ctx = await jobContext();
  const { counted, log } = countingLog();
  const rename = (from: string, to: string) =>
    ctx.db.prisma.$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
  await rename('mails', 'mails_elsewhere');
  const working = work({ ...ctx, log });
  onTestFinished(() => working.stop());
  const isFailing = () => expect(counted.failures).toBeGreaterThanOrEqual(6);
  await vi.waitFor(isFailing, { timeout: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { failures } = counted;
  await rename('mails_elsewhere', 'mails');
  expect(failures).toBeLessThan(12);
});
