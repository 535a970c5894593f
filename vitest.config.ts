import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What asks no database, or nothing of it that differs: on the embedded one alone, so that a run on both stays short. */
const ONCE = [
  'architecture',
  'fuzz',
  'lib',
  'matrix',
  'parity',
  'rest/routes.test.ts',
  'web',
  'scripts',
  'pdf',
  'files',
  'strangers',
].map((each) => (each.endsWith('.ts') ? `test/${each}` : `test/${each}/**`));

/** `npm run fuzz` asks whichever database it is given. */
const leftOut = process.env.TEST_DATABASE_URL && !process.env.FUZZ_RUNS ? ONCE : [];

/** What takes longest, so that it does not begin when all else is done. */
const LONG = ['processes', 'fuzz', 'matrix', 'scripts', 'parity', 'web', 'domain/sealing', 'pdf'];
const isLong = ({ moduleId }: TestSpecification) => LONG.some((each) => moduleId.includes(`/test/${each}`));

/** The long ones, and then as Vitest has it: the largest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Files of one worker share its modules. graphql has two builds, and may be loaded only once: the one Node picks. */
export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    globalSetup: ['test/support/template-database.ts'],
    sequence: { sequencer: LongestFirst },
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
