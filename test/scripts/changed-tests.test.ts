import { describe, expect, it } from 'vitest';
import { testsFor } from '../../scripts/changed-tests.js';

const tests = [
  { path: 'test/domain/tasks/task.test.ts', text: "import { newWorld } from '../../support/world.ts';" },
  { path: 'test/lib/id.test.ts', text: "import { newId } from '../../src/lib/id.ts';" },
];

describe('npm run test:changed', () => {
  it.each([
    [
      'src/domain/tasks/task.ts',
      ['test/domain/tasks', 'test/domain/tasks', 'test/graph/schema/tasks', 'test/rest/tasks'],
    ],
    ['src/lib/text/shorten.js', ['test/lib', 'test/domain/text', 'test/graph/schema/text', 'test/rest/text']],
    ['test/lib/id.test.ts', ['test/lib/id.test.ts']],
    ['test/support/world.ts', ['test/domain/tasks/task.test.ts']],
    ['docs/mail.md', ['test/docs/blocks.test.ts', 'test/docs/links.test.ts']],
    ['LICENSE', []],
  ])('runs for %s what is beside it', (path, expected) => {
    expect(testsFor(path, tests)).toEqual(expected);
  });
});
