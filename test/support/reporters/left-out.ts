import type { Reporter, TestModule } from 'vitest/node';

/** The end of a title: what a machine needs for the test. PostgreSQL has a line of its own (test/support/template-database.ts). */
const NEED = /\(needs (?!PostgreSQL)([^)]+)\)/;

/** Says at the end of a run which tests this machine left out: one line for each program or right that it does not have. */
export default class LeftOut implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const file of files)
      for (const test of file.children.allTests('skipped')) {
        const need = NEED.exec(test.fullName)?.[1];
        if (need) counts.set(need, (counts.get(need) ?? 0) + 1);
      }
    for (const [need, count] of counts) console.log(`Left out: ${count} tests, which need ${need}.`);
  }
}
