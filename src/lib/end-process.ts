import { writeSync } from 'node:fs';

/** Ends the process at once with status 1 and a reason on stderr, so that nothing in memory is written out. */
export function endProcess(reason: string): never {
  try {
    writeSync(2, `${reason}\n`);
  } finally {
    process.exit(1);
  }
}
