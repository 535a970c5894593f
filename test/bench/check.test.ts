import { expect, it } from 'vitest';
import { npmRun } from '../scripts/programs.ts';

const server = process.env.TEST_DATABASE_URL;

it.runIf(server)('npm run bench compares equal answers to every work (needs PostgreSQL)', async () => {
  const { code, output } = await npmRun('bench', ['--check'], { BENCH_DATABASE_URL: server as string });
  expect(code, output).toBe(0);
  const lines = output.split('\n').filter((line) => line.includes('answer the same'));
  expect(lines.filter((line) => line.includes('The limit, Docgraph')).length).toBeGreaterThan(10);
  expect(output).toContain(
    'nested-read: The limit, Docgraph, GraphQL Yoga, Pothos, Prisma plugin answer the same',
  );
});
