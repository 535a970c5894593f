/** State of the process. */
export interface Lifecycle {
  /** Set at the first signal; `/readyz` then fails, so that load balancers stop sending requests. */
  stopping: boolean;
  /** Requests in progress. */
  underWay: number;
  /** Open connections, and requests on them whose body has not arrived. */
  sockets: number;
  arriving: number;
  /** Requests that were refused before the application saw them. */
  refused: number;
}

export const newLifecycle = (): Lifecycle => ({
  stopping: false,
  underWay: 0,
  sockets: 0,
  arriving: 0,
  refused: 0,
});
