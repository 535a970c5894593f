/** PostgreSQL's log names the severity after time and process; a message's further lines are indented. */
const PANIC = /^\d\S* \S+ \S+ \[\d+\] PANIC: {2}(.*)/;

/**
 * Reads PostgreSQL's log line by line and calls `onPanic` with the reason when PostgreSQL gives up. It must not return:
 * a process of PostgreSQL's own would end there, while here its memory, now in any state, would be used further.
 */
export const readLog =
  (onPanic: (reason: string) => void) =>
  (line: string): boolean => {
    const reason = PANIC.exec(line)?.[1];
    if (reason) onPanic(reason);
    return true;
  };
