import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Fewer test files than these are no whole run. */
const MIN_FILES = 50;
const LISTED = 15;

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1).padStart(7)} s`;

/** Wall-clock time of a test file with its hooks, without its imports, in ms. */
const timeOf = (file: TestModule): number => file.diagnostic().duration;

/** Lists the slowest test files at the end of a run of many. */
export default class SlowFiles implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    if (files.length < MIN_FILES) return;
    const slowest = [...files].sort((one, other) => timeOf(other) - timeOf(one)).slice(0, LISTED);
    const lines = slowest.map(
      (file) => `${seconds(timeOf(file))}  ${relative(process.cwd(), file.moduleId)}`,
    );
    const total = files.reduce((sum, file) => sum + timeOf(file), 0);
    console.log(
      `\nThe slowest of ${files.length} test files, which took ${seconds(total).trim()} one by one:`,
    );
    console.log(lines.join('\n'));
  }
}
