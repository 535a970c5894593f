import type { Members } from './members.ts';
import type { WireNames } from './names.ts';
import { type Mapping, type Operations, single } from './operations.ts';
import type { RestRequest } from './request.ts';

interface Endpoint {
  /** The name of the operation in the contract (openapi/contract/operations). */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1, in Hono's syntax. */
  path: string;
  aliases?: string[];
  /** The caller's names for the members of the input of its operations, which may depend on the form of the body. */
  names?: WireNames | ((request: RestRequest) => WireNames);
  /**
   * The secret of a public link in the request, for a route that such a link may open. A request with a link runs with
   * the rights of the link alone and needs no bearer token; one without a link needs a bearer token as any other.
   */
  link?: (request: RestRequest) => string | undefined;
  /** Whether the query may choose an order by `sortType`; elsewhere it is refused, since it would be ignored. */
  takesSortType?: boolean;
  /** The rate limits that requests count against: those of reads of content, or of all other requests. */
  allowance?: 'content';
  /** Whether the body is plain text instead of JSON. */
  takesText?: (query: Members) => boolean;
}

/** One route: its endpoint and the stored operations it runs. Business rules belong in the domain. */
export interface Route extends Endpoint {
  operations: Operations;
}

/** A route over one stored operation: `in` maps the request to its variables, `out` its data to the reply. */
export const route = <Data, Variables extends Record<string, unknown>>({
  operation,
  in: toVariables,
  out,
  ...endpoint
}: Endpoint & Mapping<Data, Variables>): Route => ({
  ...endpoint,
  operations: single({ operation, in: toVariables, out }),
});
