import type { Body } from './body.ts';
import type { Members } from './members.ts';

/** A request as the mappings of a route read it. */
export interface RestRequest {
  /** Path parameters by name, as they are in the route's `path`. */
  path: Record<string, string>;
  query: Members;
  body: Body;
  /** The requested page: size, and the cursor to continue after. */
  page: { first: number; after: string | null };
}
