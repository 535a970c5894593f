/** State of the process. */
export interface Lifecycle {
  /** Set at the first signal; `/readyz` then fails, so that load balancers stop sending requests. */
  stopping: boolean;
  /** Requests in progress. */
  underWay: number;
}

export const newLifecycle = (): Lifecycle => ({ stopping: false, underWay: 0 });
