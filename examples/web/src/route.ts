import { createStore } from './store.ts';

/** What is shown, as in the query of the address. */
export interface Route {
  organization?: string;
  project?: string;
  folder?: string;
  /** Opens beside the rest. */
  document?: string;
  tab?: 'tasks';
}

const search = createStore(location.search);
addEventListener('popstate', () => search.set(location.search));

/** The present route. */
export const useRoute = (): Route => Object.fromEntries(new URLSearchParams(search.use()));

export const addressOf = (route: Route): string => {
  const query = new URLSearchParams(Object.entries(route).filter(([, value]) => value)).toString();
  return query ? `/?${query}` : '/';
};

export function go(route: Route): void {
  history.pushState(null, '', addressOf(route));
  search.set(location.search);
}
