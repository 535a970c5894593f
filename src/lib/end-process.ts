import { writeSync } from 'node:fs';

/** Ends the process at once, with the status 1 and a reason on stderr: nothing that it holds in memory may go anywhere. */
export function endProcess(reason: string): never {
  try {
    writeSync(2, `${reason}\n`);
  } finally {
    process.exit(1);
  }
}
