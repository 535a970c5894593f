/** The parts of Stryker's report that are read here (mutation-testing-report-schema). */
export interface Report {
  files: Record<string, { mutants: { status: string }[] }>;
}

export interface Count {
  module: string;
  mutants: number;
  noticed: number;
  /** In percent. */
  score: number;
}

/** A failed test, a timeout, and a test file that could not be loaded. */
const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError']);

export const countsOf = ({ files }: Report): Count[] =>
  Object.entries(files).map(([module, { mutants }]) => count(module, mutants));

function count(module: string, mutants: { status: string }[]): Count {
  const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length;
  return { module, mutants: mutants.length, noticed, score: (100 * noticed) / mutants.length };
}

const sum = (counts: Count[], of: 'mutants' | 'noticed') => counts.reduce((all, each) => all + each[of], 0);

/** A line for each module, and a total. */
export function printCounts(counts: Count[]): void {
  const [mutants, noticed] = [sum(counts, 'mutants'), sum(counts, 'noticed')];
  const all = { module: 'all', mutants, noticed, score: (100 * noticed) / mutants };
  console.table([...counts, all].map((each) => ({ ...each, score: each.score.toFixed(1) })));
}
