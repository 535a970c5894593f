import type { Data } from './data.ts';

/** How a contender is spoken to: `graph` is what Docgraph and the hand-written peers share, `docgraph` its graph alone. */
export type Tongue = 'limit' | 'graph' | 'docgraph' | 'rest' | 'postgraphile';

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

/** One thing to measure: the same for everyone, each asked in its own tongue. A tongue left out takes no part. */
export interface Work {
  id: string;
  title: string;
  calls: (data: Data) => Partial<Record<Tongue, Call>>;
  /** Whose rights it is asked with: an API key's unless said otherwise. */
  credential?: 'key' | 'token';
  /** What has to be the same in every answer; all of it unless said otherwise. */
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
