import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { npmRun } from './programs.ts';

it('npm run soak runs a part with other numbers, whose figures it does not keep', async () => {
  const figures = () => execFileSync('git', ['status', '--short', 'bench/soak.json'], { encoding: 'utf8' });
  const before = figures();
  const { code, output } = await npmRun('soak', ['second', '--attempts', '2']);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toMatch(/refused: 2/);
  expect(figures()).toBe(before);
});

it('npm run soak names its parts when it is asked for another', async () => {
  const { code, output } = await npmRun('soak', ['everything']);
  expect(code).toBe(1);
  expect(output).toMatch(/One of: kill, kill-postgres, second/);
});
