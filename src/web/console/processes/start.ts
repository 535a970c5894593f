import {
  type ConsoleRunFragment,
  ConsoleStartableDocument,
  type ConsoleStartableQuery,
  ConsoleStartProcessDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import type { Visit } from '../ui/visit.ts';

const STARTABLE = storedOperation(ConsoleStartableDocument);
const START = storedMutation(ConsoleStartProcessDocument);

/** What can be started on a document or task, and what was. */
export interface Startable {
  project: NonNullable<ConsoleStartableQuery['project']>;
  runs: ConsoleRunFragment[];
}

/** Reads the processes of the project of a page, and the last runs on a document or task of it. */
export async function readStartable(visit: Visit, itemId: string): Promise<Startable | undefined> {
  const { project } = await visit.run(STARTABLE, { projectId: visit.param('project'), itemId });
  if (!project) return undefined;
  const runs = new Map(project.approvals.nodes.map(({ run }) => [run.id, run]));
  return { project, runs: [...runs.values()].slice(0, MAX_RUNS) };
}

const MAX_RUNS = 5;

/** Starts the process that the form names on a document or task of the page. */
export const startOn = (visit: Visit, form: URLSearchParams, itemId: string): Promise<unknown> =>
  visit.run(START, {
    input: {
      ...{ organizationId: visit.param('organization'), projectId: visit.param('project') },
      ...{ processId: form.get('processId') ?? '', itemIds: [itemId] },
    },
  });

/** The field of the form by the member of the input: why it cannot be started is about the process. */
export const START_FIELDS = { processId: 'processId', itemIds: 'processId' };
