import type { ExampleIds } from './example-ids.ts';

/** An operation that GraphiQL offers. */
export interface Example {
  /** For links: `/graphql?example=name`. */
  name: string;
  title: string;
  /** One sentence. */
  about: string;
  query: string;
  /** The variables, with ids of the viewer's objects. */
  variables?: (ids: Ids) => Record<string, unknown>;
}

/** Placeholders stand for objects that the viewer does not have. */
type Ids = Required<ExampleIds>;
