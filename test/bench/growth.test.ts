import { expect, it } from 'vitest';
import { tsxRun } from '../scripts/programs.ts';

const server = process.env.TEST_DATABASE_URL;

it.runIf(server)('bench/growth.ts has an answer to every operation (needs PostgreSQL)', async () => {
  const { code, output } = await tsxRun('bench/growth.ts', ['--check'], {
    BENCH_DATABASE_URL: server as string,
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/[0-9]{3} operations are answered/);
});
