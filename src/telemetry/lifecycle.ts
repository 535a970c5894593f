/** What the process is doing as a whole. */
export interface Lifecycle {
  /** Set at the first signal: whoever balances load is told to look elsewhere. */
  stopping: boolean;
  /** Requests under way. */
  underWay: number;
}

export const newLifecycle = (): Lifecycle => ({ stopping: false, underWay: 0 });
