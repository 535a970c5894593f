/** A log line starts with time and process id, then the severity; further lines of a message are indented. */
const PANIC = /^\d\S* \S+ \S+ \[\d+\] PANIC: {2}(.*)/;

/**
 * Reads PostgreSQL's log line by line and calls `onPanic` with the reason of a PANIC. `onPanic` must not return: a server
 * process would end there, while here its memory, in an undefined state, would be used further.
 * @param {(reason: string) => void} onPanic
 * @returns {(line: string) => boolean}
 */
export const readLog = (onPanic) => (line) => {
  const reason = PANIC.exec(line)?.[1];
  if (reason) onPanic(reason);
  return true;
};
