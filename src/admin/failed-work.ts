import { readFailures, retryFailures, type StoredFailure } from '../domain/due-work/failed-work.ts';
import type { Command } from './command.ts';

/** Background work that failed, in one line without control characters. */
function lineOf({ work, rowId, organizationId, attempts, nextAt, error }: StoredFailure): string {
  const next = nextAt ? `next at ${nextAt.toISOString()}` : 'given up';
  const reason = error.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return `${work} ${rowId} of ${organizationId}: ${attempts} attempts, ${next}: ${reason}`;
}

export const FAILED_WORK_COMMANDS: Record<string, Command> = {
  'failed-work': {
    description: 'Lists background work that failed: what was given up, and when the rest is tried again.',
    options: [],
    async run({ db }) {
      const failures = await readFailures(db);
      return failures.length > 0 ? failures.map(lineOf).join('\n') : 'No background work has failed.';
    },
  },
  'retry-failed-work': {
    description: 'Has the server try all failed background work again, also what was given up.',
    options: [],
    run: async ({ db }) => `Work on ${await retryFailures(db)} rows is tried again.`,
  },
};
