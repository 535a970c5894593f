import type { Database } from '../../../src/db/database.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { doNext } from '../../../src/jobs/work.ts';
import { jobContext } from '../../support/jobs.ts';
import type { Answer, Person } from '../../support/world.ts';
import { testApp } from '../../support/world.ts';

export const CREATE_TASKS = `mutation ($projectId: ID!, $name: String!) {
  createTasks(input: { projectId: $projectId, tasks: [{ name: $name }] }) { tasks { name } }
}`;

const START = `mutation ($input: StartBulkOperationInput!) {
  startBulkOperation(input: $input) { bulkOperation { id state lineCount mutation } }
}`;

export const jsonl = (lines: readonly object[]): string =>
  `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

export const start = (
  by: Person,
  input: { organizationId: string; mutation: string; variables: string },
): Promise<Answer> => by.graph(START, { input });

/** Starts an operation and returns its id. Throws where it is refused. */
export async function started(
  by: Person,
  organizationId: string,
  lines: readonly object[],
  mutation = CREATE_TASKS,
): Promise<string> {
  const { data, errors } = await start(by, { organizationId, mutation, variables: jsonl(lines) });
  if (errors) throw new Error(errors[0]?.message);
  return data.startBulkOperation.bulkOperation.id;
}

export const cancel = (by: Person, bulkOperationId: string): Promise<Answer> =>
  by.graph(
    'mutation ($input: CancelBulkOperationInput!) { cancelBulkOperation(input: $input) { bulkOperation { state doneCount } } }',
    { input: { bulkOperationId } },
  );

/** The operation as this person sees it; null if they do not. */
export async function read(by: Person, id: string) {
  const { data } = await by.graph(
    `query ($id: ID!) { node(id: $id) { ... on BulkOperation {
      id state lineCount doneCount failedCount failure completedAt resultsUrl createdBy { id } } } }`,
    { id },
  );
  return data.node;
}

/** Runs the next slice of lines. */
export const runSlice = async (): Promise<boolean> => doNext(await jobContext(), 'bulk');

/** Runs all lines that are due. */
export async function runAll(): Promise<void> {
  while (await runSlice());
}

export interface Result {
  line: number;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the mutation's
  data: any;
  errors?: { message: string; code: string; at?: string }[];
}

/** The results that a person downloads. */
export async function results(db: Database, by: Person, id: string): Promise<Result[]> {
  const { resultsUrl } = await read(by, id);
  const answer = await (await testApp(db)).request(new URL(resultsUrl).pathname);
  if (answer.status !== 200) throw new Error(`the results were answered with ${answer.status}`);
  return (await answer.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Makes a claim end, as time would. */
export const endClaims = (db: Database, id: string): Promise<unknown> =>
  inTransaction(db, ({ prisma }) =>
    prisma.bulkOperation.updateMany({ where: { id }, data: { nextAt: new Date(0) } }),
  );
