import { ask, type Running } from './contenders.ts';
import { DATABASE, type Data } from './data.ts';
import { backendsOf, usedSince } from './proc.ts';
import { graphCall } from './work.ts';

/** Counts of the units of a query: the columns of the table of unit costs. */
const UNITS = ['request', 'list', 'listInList', 'row', 'scalar', 'toOne', 'count', 'search'] as const;
type Unit = (typeof UNITS)[number];

interface Probe {
  query: string;
  holds: Partial<Record<Unit, number>>;
}

/** Microseconds of processor time. */
export interface UnitCost {
  unit: Unit;
  node: number;
  database: number;
}

const REQUESTS = 600;
const CONNECTIONS = 4;

/** Queries that differ in one unit at a time. */
function probes({ small: { organizationId, projectId }, documentId }: Data): Probe[] {
  const project = (selection: string) => `{ project(id: "${projectId}") { id ${selection} } }`;
  const documents = (first: number, fields: string) =>
    project(`documents(first: ${first}) { nodes { ${fields} } }`);
  const organization = (selection: string) => `{ organization(id: "${organizationId}") { id ${selection} } }`;
  const page = { request: 1, row: 1, scalar: 1, list: 1 };
  return [
    { query: '{ __typename }', holds: { request: 1 } },
    { query: project('name'), holds: { request: 1, row: 1, scalar: 2 } },
    { query: `{ document(id: "${documentId}") { id name size } }`, holds: { request: 1, row: 1, scalar: 3 } },
    { query: documents(1, 'id'), holds: { ...page, row: 2, scalar: 2 } },
    { query: documents(50, 'id'), holds: { ...page, row: 51, scalar: 51 } },
    { query: documents(100, 'id'), holds: { ...page, row: 101, scalar: 101 } },
    {
      query: documents(100, 'id name size contentType createdAt'),
      holds: { ...page, row: 101, scalar: 501 },
    },
    {
      query: documents(50, 'id name size createdBy { id name }'),
      holds: { ...page, row: 51, toOne: 50, scalar: 251 },
    },
    { query: documents(100, 'id folder { id name }'), holds: { ...page, row: 101, toOne: 100, scalar: 301 } },
    {
      query: documents(50, 'id comments(first: 1) { nodes { id } }'),
      holds: { ...page, listInList: 50, row: 101, scalar: 101 },
    },
    {
      query: documents(50, 'id comments(first: 2) { nodes { id } }'),
      holds: { ...page, listInList: 50, row: 151, scalar: 151 },
    },
    {
      query: documents(100, 'id comments(first: 2) { nodes { id text } }'),
      holds: { ...page, listInList: 100, row: 301, scalar: 501 },
    },
    {
      query: organization('projects(first: 10) { nodes { id documents(first: 20) { nodes { id } } } }'),
      holds: { ...page, listInList: 10, row: 211, scalar: 211 },
    },
    {
      query: organization('projects(first: 10) { nodes { id documents(first: 100) { nodes { id } } } }'),
      holds: { ...page, listInList: 10, row: 1011, scalar: 1011 },
    },
    {
      query: project('documents(first: 1) { totalCount nodes { id } }'),
      holds: { ...page, row: 2, scalar: 2, count: 1 },
    },
    {
      query: organization(
        'projects(first: 10) { nodes { id documents(first: 1) { totalCount nodes { id } } } }',
      ),
      holds: { ...page, listInList: 10, row: 21, scalar: 21, count: 10 },
    },
    {
      query: organization('search(query: "drawing", first: 25) { nodes { kind } }'),
      holds: { request: 1, search: 1, row: 26, scalar: 26 },
    },
    {
      query: organization('search(query: "west elevation", first: 1) { nodes { kind } }'),
      holds: { request: 1, search: 1, row: 2, scalar: 2 },
    },
  ];
}

/** Measures each probe, and fits a cost to each unit by least squares. */
export async function unitCosts(server: Running, data: Data): Promise<UnitCost[]> {
  const rows: { holds: Probe['holds']; node: number; database: number }[] = [];
  for (const { query, holds } of probes(data)) {
    const used = await processorTime(server, query, data.key);
    rows.push({ holds, ...used });
    console.log(`${used.node.toFixed(0).padStart(6)} ${used.database.toFixed(0).padStart(6)} µs  ${query}`);
  }
  const matrix = rows.map(({ holds }) => UNITS.map((unit) => holds[unit] ?? 0));
  const node = leastSquares(
    matrix,
    rows.map((each) => each.node),
  );
  const database = leastSquares(
    matrix,
    rows.map((each) => each.database),
  );
  return UNITS.map((unit, index) => ({
    unit,
    node: node[index] as number,
    database: database[index] as number,
  }));
}

/** Of one request, in microseconds: of the server's process and of the database. */
async function processorTime(server: Running, query: string, key: string) {
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await ask(server.url, graphCall(query), key);
  };
  const round = (count: number) =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => send(count / CONNECTIONS)));
  await round(2 * REQUESTS);
  const cpu = server.cpu();
  const backends = backendsOf(DATABASE);
  await round(REQUESTS);
  return {
    node: ((server.cpu() - cpu) * 1_000) / REQUESTS,
    database: (usedSince(backends, DATABASE) * 1_000) / REQUESTS,
  };
}

/** Solves the normal equations of `matrix · x = values`, each row weighted by the inverse of its value: relative errors count. */
function leastSquares(matrix: number[][], values: number[]): number[] {
  const size = matrix[0]?.length ?? 0;
  const weighted = matrix.map((row, at) => row.map((each) => each / Math.max(values[at] as number, 1)));
  const system = Array.from({ length: size }, (_, a) => [
    ...Array.from({ length: size }, (_, b) =>
      sum(weighted.map((row) => (row[a] as number) * (row[b] as number))),
    ),
    sum(weighted.map((row) => row[a] as number)),
  ]);
  for (let pivot = 0; pivot < size; pivot++) eliminate(system, pivot);
  return system.map((row, at) => (row[size] as number) / (row[at] as number));
}

const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);

function eliminate(system: number[][], pivot: number): void {
  const top = system[pivot] as number[];
  for (const [at, row] of system.entries()) {
    if (at === pivot) continue;
    const factor = (row[pivot] as number) / (top[pivot] as number);
    for (let column = pivot; column < row.length; column++)
      row[column] = (row[column] as number) - factor * (top[column] as number);
  }
}

export function printUnits(costs: UnitCost[]): void {
  console.log('\nProcessor time of a unit, in microseconds: server, database');
  for (const { unit, node, database } of costs)
    console.log(`${unit.padEnd(12)} ${node.toFixed(1).padStart(8)} ${database.toFixed(1).padStart(8)}`);
}
