/** A cache of the `capacity` values that were put last. A lost value must only cost time. */
export interface BoundedCache<Value> {
  put: (key: string, value: Value) => void;
  /** Returns the value and removes it, so that two callers never continue with the same one. */
  take: (key: string) => Value | undefined;
}

export function boundedCache<Value>(capacity: number): BoundedCache<Value> {
  const values = new Map<string, Value>();
  const take = (key: string) => {
    const value = values.get(key);
    values.delete(key);
    return value;
  };
  return {
    take,
    put: (key, value) => {
      take(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > capacity && oldest !== undefined) take(oldest);
    },
  };
}
