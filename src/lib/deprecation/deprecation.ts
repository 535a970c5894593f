/** Says of what still works that it should not be used any more. Days are YYYY-MM-DD, UTC. */
export interface Deprecation {
  since: string;
  /** The day on which it is removed; undefined while none is decided. */
  removal?: string;
  /** What to use instead: a coordinate of the schema, a route or scopes. */
  instead: string;
}

/** What is deprecated, by its name. */
export type Deprecations = Readonly<Record<string, Deprecation>>;

/** The reason of `@deprecated`, and the text for people. */
export const deprecationText = ({ instead, since, removal }: Deprecation): string =>
  `Use \`${instead}\`. Deprecated since ${since}, ${removal ? `removed on ${removal}` : 'no removal is planned'}.`;

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The headers `Deprecation` (RFC 9745 §2.1) and `Sunset` (RFC 8594 §3) of a resource. */
export const deprecationHeaders = ({ since, removal }: Deprecation): Record<string, string> => ({
  Deprecation: `@${startOf(since).getTime() / 1_000}`,
  ...(removal && { Sunset: startOf(removal).toUTCString() }),
});

/** The name of a deprecated route of REST v1, whose path has Hono's syntax. */
export const routeName = (method: string, path: string): string =>
  `${method} /api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`;

/** The name of a deprecated scope. */
export const scopeName = (scope: string): string => `scope ${scope}`;
