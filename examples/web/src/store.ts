import { useSyncExternalStore } from 'react';

/** A value outside of React, and components that follow it. */
export function createStore<Value>(value: Value) {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => value;
  return {
    get,
    set(next: Value) {
      value = next;
      for (const listener of listeners) listener();
    },
    /** The present value; the component renders again when it changes. */
    use: () => useSyncExternalStore(subscribe, get),
  };
}
