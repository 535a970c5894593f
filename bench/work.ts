import type { Data } from './data.ts';

/**
 * The APIs of contenders: `graph` is shared by Docgraph and the hand-written peers, `docgraph` is specific to Docgraph, `pothos` is the
 * part of `graph` that the Prisma plugin of Pothos serves.
 */
export type Api = 'limit' | 'graph' | 'docgraph' | 'rest' | 'pothos' | 'postgraphile';

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

/** One piece of work, the same for all contenders, by API. Contenders without a listed API are not measured. */
export interface Work {
  id: string;
  title: string;
  calls: (data: Data) => Partial<Record<Api, Call>>;
  /** The kind of credential; an API key by default. */
  credential?: 'key' | 'token';
  /** The part that must be equal in all responses; by default all of it. */
  same?: (answer: unknown) => unknown;
}

export const graphCall = (query: string, variables: Record<string, unknown> = {}): Call => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});

export const limitCall = (path: string, query: Record<string, string> = {}): Call => ({
  method: 'GET',
  path: `/${path}?${new URLSearchParams(query)}`,
});
