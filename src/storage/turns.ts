const WAIT_LIMIT = 30_000;

/** So many at a time; whoever comes later waits, 30 s at most. */
export function turns(most: number): { begin: () => Promise<boolean>; end: () => void } {
  const waiting = new Set<() => void>();
  let busy = 0;

  /** True once it is one's turn, and `end` is to be called; false when that took too long. */
  const begin = (): Promise<boolean> => {
    if (busy < most) {
      busy++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        resolve(false);
      }, WAIT_LIMIT);
      waiting.add(go);
    });
  };

  const end = () => {
    const [next] = waiting;
    if (!next) {
      busy--;
      return;
    }
    waiting.delete(next);
    next();
  };
  return { begin, end };
}
