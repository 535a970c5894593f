import { EVENTS } from './example-events.ts';
import type { ExampleIds } from './example-ids.ts';
import { MUTATIONS } from './example-mutations.ts';
import { QUERIES } from './example-queries.ts';

/** An example as the page has it: ready to run. */
export interface PreparedExample {
  name: string;
  title: string;
  about: string;
  query: string;
  /** JSON. */
  variables?: string;
}

/** The examples, with ids of the viewer as variables. */
export function preparedExamples({
  organizationId = 'org_…',
  projectId = 'prj_…',
  documentId = 'doc_…',
}: ExampleIds): PreparedExample[] {
  const ids = { organizationId, projectId, documentId };
  return [...QUERIES, ...EVENTS, ...MUTATIONS].map(({ variables, ...example }) => ({
    ...example,
    ...(variables && { variables: JSON.stringify(variables(ids), null, 2) }),
  }));
}
