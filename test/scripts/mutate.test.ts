import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SUBJECTS } from '../mutation/subjects.ts';

it('npm run mutate has modules and tests that exist', () => {
  const missing = Object.values(SUBJECTS).flatMap(({ modules, tests }) => [
    ...modules.map((each) => `src/${each}.ts`).filter((path) => !existsSync(path)),
    ...tests.map((each) => `test/${each}.test.ts`).filter((path) => !existsSync(path)),
  ]);
  expect(missing).toEqual([]);
});
