import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests without a database, of the embedded one, or to which the database does not matter. The run on PostgreSQL leaves them out. */
const EMBEDDED = [
  'architecture',
  'client',
  'config',
  'db/migrate/merged-grants.test.ts',
  'db/migrate/revocation-upgrade.test.ts',
  'db/migrate/search-upgrade.test.ts',
  'db/migrate/second-factor-upgrade.test.ts',
  'db/migrate/upgrade.test.ts',
  'db/pglite',
  'docs',
  'example',
  'files',
  'lib',
  'matrix/edges.test.ts',
  'pdf',
  'processes/broken-folder.test.ts',
  'processes/first-start.test.ts',
  'processes/npm-start.test.ts',
  'processes/package.test.ts',
  'processes/proxies.test.ts',
  'processes/start-modules.test.ts',
  'processes/stop.test.ts',
  'scripts',
  'seed',
  'strangers',
  'web',
];

/** Tests of what the two databases do differently: rows, statements, transactions, and both APIs end to end. */
const BOTH = [
  'db',
  'fuzz',
  'graph/engine',
  'graph/schema/history',
  'parity',
  'processes',
  'rest/specification.test.ts',
];

const patterns = (tests: readonly string[]) =>
  tests.map((each) => (each.endsWith('.ts') ? `test/${each}` : `test/${each}/**/*.test.ts`));

/**
 * Without settings: everything, on the embedded database. TEST_DATABASE_URL: on PostgreSQL, without the tests of EMBEDDED. TEST_SPLIT=1:
 * on the embedded database, without what a run on PostgreSQL covers as well.
 */
const { TEST_DATABASE_URL, TEST_SPLIT } = process.env;
const include = TEST_SPLIT && !TEST_DATABASE_URL ? patterns([...EMBEDDED, ...BOTH]) : ['test/**/*.test.ts'];
const exclude = TEST_DATABASE_URL ? patterns(EMBEDDED) : [];

/** What takes longest, so that it does not begin when all else is done. */
const LONG = [
  'docs',
  'example',
  'bench',
  'processes',
  'db/pglite',
  'fuzz',
  'matrix',
  'scripts',
  'parity',
  'web',
  'jobs/text',
  'faults',
  'files/content',
  'config',
  'domain/kernel/list-sparse',
  'domain/projects/project-copy',
  'domain/sealing',
  'domain/search',
  'http',
  'mail',
  'pdf',
];
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
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    globalSetup: ['test/support/databases/template.ts'],
    setupFiles: ['test/support/databases/replace-large.ts'],
    sequence: { sequencer: LongestFirst },
    isolate: false,
    reporters: ['default', './test/support/reporters/slow-files.ts', './test/support/reporters/left-out.ts'],
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // For what another process or a browser does, on a busy machine.
    expect: { poll: { timeout: 60_000 } },
  },
});
