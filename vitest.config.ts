import { configDefaults, defineConfig } from 'vitest/config';

/** What asks no database, or nothing of it that differs: on the embedded one alone, so that a run on both stays short. */
const ONCE = [
  'architecture',
  'browser',
  'fuzz',
  'lib',
  'matrix',
  'parity',
  'rest/routes.test.ts',
  'screens',
  'scripts',
  'seal',
  'storage',
  'strangers',
].map((each) => (each.endsWith('.ts') ? `test/${each}` : `test/${each}/**`));

/** Files of one worker share its modules. graphql has two builds, and may be loaded only once: the one Node picks. */
export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.TEST_DATABASE_URL ? ONCE : [])],
    globalSetup: ['test/support/server-databases.ts'],
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
