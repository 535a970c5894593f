interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const running = new Map<string, Promise<unknown>>();

/** Runs one at a time per name: across the tabs of a browser by Web Locks, elsewhere within the process. */
export function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { navigator } = globalThis as { navigator?: { locks?: Locks } };
  if (navigator?.locks) return navigator.locks.request(name, work);
  const result = (running.get(name) ?? Promise.resolve()).then(work, work);
  running.set(name, result);
  const end = () => {
    if (running.get(name) === result) running.delete(name);
  };
  result.then(end, end);
  return result;
}
