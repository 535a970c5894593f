/**
 * The kinds of background work. Rows say what is due, so that a change and the work that follows from it commit together, and
 * nothing is lost with a process. Workers are woken up, and poll for what other processes and the passing of time make due.
 */
export type Work =
  | 'text'
  | 'recognize'
  | 'sweep'
  | 'pages'
  | 'render'
  | 'seal'
  | 'stamp'
  | 'fileForm'
  | 'copyProject'
  | 'bulk'
  | 'export'
  | 'mail'
  | 'notify'
  | 'remind'
  | 'anchor'
  | 'webhook';

/**
 * Milliseconds from one look of a worker to the next while it is woken up again and again: a look takes several statements, and
 * what becomes due in quick succession shares one. The first wake-up is followed at once.
 */
export const LOOK_INTERVAL = 100;

/** Where a process reports that it has committed rows that are due at once, to its own workers. */
export interface WorkSignal {
  onDue: (work: Work) => void;
}
