import { DomainError, type ErrorCode } from '../../domain/kernel/errors.ts';
import type { StoredOperation } from '../../graph/http/execute.ts';
import { type Connection, pageRecord, readAllPages } from './pages.ts';
import type { RestRequest } from './request.ts';

export type Execute = <Data, Variables extends Record<string, unknown>>(
  operation: StoredOperation<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

/** What a route runs: one stored operation (`single`), or several by one of the other functions below. */
export interface Operations<Result = unknown> {
  /** The names of the stored operations that it may run. */
  names: readonly string[];
  /** Whether any of them is a mutation. */
  writes: boolean;
  /** What the credential must allow before anything runs: what each of them requires. */
  required: StoredOperation<unknown, Record<string, unknown>>['required'];
  /** Whether If-Match can name a version. */
  takesVersion: boolean;
  /** Returns the reply: a value to send as JSON, a PlainText or a StreamedText; undefined for an empty body. */
  run: (request: RestRequest, execute: Execute) => Promise<Result>;
}

export interface Mapping<Data, Variables extends Record<string, unknown>> {
  operation: StoredOperation<Data, Variables>;
  in: (request: RestRequest) => Variables;
  out: (data: Data, request: RestRequest) => unknown;
}

export const single = <Data, Variables extends Record<string, unknown>>({
  operation,
  in: toVariables,
  out,
}: Mapping<Data, Variables>): Operations => ({
  names: operation.names,
  writes: operation.writes,
  required: operation.required,
  takesVersion: operation.takesVersion,
  run: async (request, execute) => out(await execute(operation, toVariables(request)), request),
});

const namesOf = (operations: readonly Pick<Operations, 'names'>[]): string[] => [
  ...new Set(operations.flatMap(({ names }) => names)),
];

/** Runs the alternative that `select` names for a request. It requires what all of them do, and all write or none does. */
export function choose<Name extends string>(
  select: (request: RestRequest) => NoInfer<Name>,
  alternatives: Record<Name, Operations>,
): Operations {
  const all = Object.values<Operations>(alternatives);
  const [first] = all as [Operations];
  return {
    ...first,
    names: namesOf(all),
    required: all.flatMap(({ required }) => required),
    run: (request, execute) => alternatives[select(request)].run(request, execute),
  };
}

/** The codes of a caller who sees an object and may not change it. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['INSUFFICIENT_SCOPE', 'FORBIDDEN']);

/**
 * Runs `read`, and `create` if that returns null. For a caller who may only read it runs `empty` instead, whose reply
 * stands for the object that does not exist yet.
 */
export const readOrCreate = (read: Operations, create: Operations, empty: Operations): Operations => ({
  ...read,
  names: namesOf([read, create, empty]),
  run: async (request, execute) =>
    (await read.run(request, execute)) ??
    create.run(request, execute).catch((error) => {
      if (error instanceof DomainError && REFUSALS.has(error.code)) return empty.run(request, execute);
      throw error;
    }),
});

/** Runs `run`, which executes the operations of a list in an order of its own; it requires what all of them do. */
export const sequence = (
  operations: readonly Pick<Operations, 'names' | 'writes' | 'required' | 'takesVersion'>[],
  run: Operations['run'],
): Operations => ({
  names: namesOf(operations),
  writes: operations.some(({ writes }) => writes),
  required: operations.flatMap(({ required }) => required),
  takesVersion: operations.some(({ takesVersion }) => takesVersion),
  run,
});

interface PageVariables extends Record<string, unknown> {
  first: number;
  after?: string | null | undefined;
}

interface PagedOrAll<Data, Variables extends PageVariables, Node>
  extends Pick<ListMapping<Data, Variables, Node, unknown>, 'operation' | 'in' | 'list'> {
  record: (node: Node) => unknown;
}

interface ListMapping<Data, Variables extends PageVariables, Node, Result> {
  operation: StoredOperation<Data, Variables>;
  in: (request: RestRequest) => Omit<Variables, 'first' | 'after'>;
  /** The page in the data of one execution. */
  list: (data: Data, request: RestRequest) => Connection<Node>;
  /** The most nodes of a reply; all of them if left out. */
  limit?: number;
  out: (nodes: Node[], request: RestRequest) => Result;
}

/** A list that is paged, or complete with `getAll`. Then its PageSize is 0, which tells clients that nothing follows. */
export const pagedOrAll = <Data, Variables extends PageVariables, Node>(
  key: string,
  { operation, in: toVariables, list, record }: PagedOrAll<Data, Variables, Node>,
): Operations =>
  choose(({ query }) => (query.flag('getAll') ? 'all' : 'page'), {
    page: single({
      operation,
      in: (request) => ({ ...toVariables(request), ...request.page }) as unknown as Variables,
      out: (data, request) => pageRecord(key, list(data, request), request.page.first, record),
    }),
    all: allPages({
      operation,
      in: toVariables,
      list,
      out: (nodes) => pageRecord(key, { nodes, pageInfo: {} }, 0, record),
    }),
  });

/** The largest page of the graph. */
export const PAGE_SIZE = 100;

/** A complete list, for routes whose reply has no place for a cursor (contract, "Paging"). */
export const allPages = <Data, Variables extends PageVariables, Node, Result>({
  operation,
  in: toVariables,
  list,
  limit,
  out,
}: ListMapping<Data, Variables, Node, Result>): Operations<Result> => ({
  names: operation.names,
  writes: operation.writes,
  required: operation.required,
  takesVersion: operation.takesVersion,
  run: async (request, execute) => {
    const variables = toVariables(request);
    const nodes = await readAllPages(async (after) => {
      const page = { ...variables, first: PAGE_SIZE, after } as unknown as Variables;
      return list(await execute(operation, page), request);
    }, limit);
    return out(nodes, request);
  },
});
