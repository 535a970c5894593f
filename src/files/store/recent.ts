/** A memory of bounded size: the `capacity` values that were kept last. Losing one must only cost time. */
export interface Recent<Value> {
  keep: (key: string, value: Value) => void;
  /** Gives the value and forgets it, so that two callers never go on with the same one. */
  take: (key: string) => Value | undefined;
}

export function recent<Value>(capacity: number): Recent<Value> {
  const kept = new Map<string, Value>();
  const take = (key: string) => {
    const value = kept.get(key);
    kept.delete(key);
    return value;
  };
  return {
    take,
    keep: (key, value) => {
      take(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > capacity && oldest !== undefined) take(oldest);
    },
  };
}
