import { defineConfig } from 'vitest/config';

/** Files of one worker share its modules. graphql has two builds, and may be loaded only once: the one Node picks. */
export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/server-databases.ts'],
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
