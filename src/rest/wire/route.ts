import type { StoredOperation } from '../../graph/http/execute.ts';
import type { Body, Query } from './read.ts';

/** What a row's `in` has to work with: names in the path, and matched without regard to case in query and body. */
export interface RestRequest {
  path: Record<string, string>;
  query: Query;
  body: Body;
  /** The page that is asked for. */
  page: { first: number; after: string | null };
}

/**
 * One route: where it answers, the stored operation it runs, and the mappings in and out. A row has no place for a rule.
 * `out` throws notFound where a path names a thing in the wrong place.
 */
export interface Route {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1, in Hono's syntax. */
  path: string;
  aliases?: string[];
  /**
   * For a row that a public link may open: the link's secret as the request carries it, if it does. It then takes no
   * bearer, and runs with the rights of the link alone; without a secret it asks for a bearer as every row does.
   */
  link?: (request: RestRequest) => string | undefined;
  /** Says that a request's body is plain text and no JSON. */
  takesText?: (query: Query) => boolean;
  /** What a credential has to be good for: the scope of the operation that always runs. */
  scope: 'read' | 'write';
  /** Whether an If-Match can hold for it. */
  versioned?: boolean;
  run: (request: RestRequest, execute: Execute) => Promise<unknown>;
}

export type Execute = <Data, Variables extends Record<string, unknown>>(
  operation: StoredOperation<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

interface Definition<Data, Variables extends Record<string, unknown>>
  extends Omit<Route, 'run' | 'scope' | 'versioned'> {
  operation: StoredOperation<Data, Variables>;
  in: (request: RestRequest) => Variables;
  out: (data: Data, request: RestRequest) => unknown;
}

/** Ties the types of a row's operation to its mappings. */
export const route = <Data, Variables extends Record<string, unknown>>({
  operation,
  in: toVariables,
  out,
  ...rest
}: Definition<Data, Variables>): Route => ({
  ...rest,
  scope: operation.scope,
  versioned: operation.takesVersion,
  run: async (request, execute) => out(await execute(operation, toVariables(request)), request),
});
