import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { npmRun } from '../scripts/programs.ts';

describe.runIf(process.env.TEST_DATABASE_URL)('npm run soak (needs PostgreSQL)', () => {
  it('runs a part with other numbers, whose figures it does not keep', async () => {
    const figures = () => execFileSync('git', ['status', '--short', 'bench/soak.json'], { encoding: 'utf8' });
    const before = figures();
    const { code, output } = await npmRun('soak', ['races', '--rounds', '1']);
    expect(code, output).toBe(0);
    expect(output).toMatch(/expectedVersion: \{ wrong: 0/);
    expect(figures()).toBe(before);
  });

  it('compares how long each form takes for what exists and for what does not', async () => {
    const { code, output } = await npmRun('soak', ['enumeration', '--samples', '1']);
    expect(code, output).toBe(0);
    for (const form of ['sign-in', 'forgotten password', 'client id', 'prefix of an API key'])
      expect(output).toMatch(new RegExp(`'?${form}'?: \\{ ratio: [\\d.]+, greater: [\\d.]+, p: `));
  });

  it('names its parts when it is asked for another', async () => {
    const { code, output } = await npmRun('soak', ['everything']);
    expect(code).toBe(1);
    expect(output).toMatch(/One of: kill, kill-postgres, second/);
  });
});
