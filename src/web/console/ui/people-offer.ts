/** A person, a member or a group, by the id that a form sends. */
export interface Person {
  id: string;
  name: string;
  email?: string;
}

/** People from whom one chooses. */
export interface Offer {
  people: readonly Person[];
  /** Whether there are more than are offered, among whom one searches. */
  hasMore: boolean;
  /** The beginning of a name or address that was searched for. */
  search: string;
}

/** So many people are offered at once; among more of them one searches. */
export const MAX_OFFERED = 20;

/** All people if they are few; else those of a search. `hasNext`: whether there are more than were read. */
export function offerOf(people: readonly Person[], hasNext: boolean, search: string): Offer {
  const hasMore = hasNext || people.length > MAX_OFFERED;
  return { hasMore, search, people: hasMore && !search ? [] : people.slice(0, MAX_OFFERED) };
}
