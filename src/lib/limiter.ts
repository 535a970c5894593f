/** Runs so many at a time; the others wait in the order in which they came. */
export function limiter(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot passes to the next without becoming free, so that nobody overtakes it.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
