import { createStore } from './store.ts';

export const messages = createStore<{ id: number; text: string }[]>([]);
let last = 0;

/** Shows a text for some seconds. */
export function showMessage(text: string): void {
  const id = ++last;
  messages.set([...messages.get().filter((each) => each.text !== text), { id, text }]);
  setTimeout(() => messages.set(messages.get().filter((each) => each.id !== id)), 6_000);
}
