import { type GraphQLError, type GraphQLResolveInfo, locatedError } from 'graphql';
import { type ResponseSize, RowsRefused, responseTooLarge } from '../../domain/kernel/response-size.ts';
import { memoize } from '../../lib/memoize.ts';
import type { GraphContext } from './context.ts';
import type { FieldPlan, Plan, Shape } from './plan.ts';

export type Values = Record<string, unknown>;
export type Container = Values | unknown[];

/** Objects of a response: they inherit no members, so a client may name its fields as it likes. */
export const ResponseObject = function ResponseObject() {} as unknown as new () => Values;
ResponseObject.prototype = Object.create(null);

/** One execution of a plan. */
export interface Run {
  plan: Plan;
  context: GraphContext;
  variables: Values;
  errors: GraphQLError[];
  size: ResponseSize;
  /** The response has become too large: nothing more is resolved or completed. */
  excess: GraphQLError | undefined;
  /** Coerced arguments of prefetched fields: the field itself must get the same object. */
  prefetchedArguments: Map<FieldPlan, Values>;
}

/** The position of an object or list in the response; the root has no parent. */
export interface Position {
  container: Container;
  key: string | number;
  nullable: boolean;
  parent: Position | undefined;
  /** It became null because of an error below it; further errors below it are not reported. */
  isNulled: boolean;
}

export const put = (container: Container, key: string | number, value: unknown): void => {
  (container as Values)[key] = value;
};

/** Reports a field error, and nulls the nearest nullable position (GraphQL specification §6.4.4). RowsRefused ends the run. */
export function fail(
  run: Run,
  field: FieldPlan,
  { nullable }: Shape,
  error: unknown,
  container: Container,
  key: string | number,
  parent: Position,
): void {
  for (let position: Position | undefined = parent; position; position = position.parent)
    if (position.isNulled) return;
  const path = [...keysOf(parent), key];
  if (error instanceof RowsRefused) {
    end(run, field, path, (changed) => error.after(changed));
    return;
  }
  run.errors.push(locatedError(error, field.nodes, path));
  if (nullable) put(container, key, null);
  else nullify(parent);
}

/** Ends the run if the response has become too large with this field. Returns whether it has ended. */
export function isTooLarge(run: Run, field: FieldPlan, parent: Position): boolean {
  const { size } = run;
  if (size.isExceeded)
    end(run, field, [...keysOf(parent), field.key], (changed) =>
      responseTooLarge(size.limit, `${field.parent.name}.${field.name}`, changed),
    );
  return run.excess !== undefined;
}

/** Ends the run at a field, with an error that names the fields of a mutation that were carried out. */
function end(
  run: Run,
  { nodes }: FieldPlan,
  path: (string | number)[],
  errorAfter: (changed: readonly string[]) => Error,
): void {
  if (run.excess) return;
  const { fields, operation } = run.plan;
  const index = fields.findIndex(({ key }) => key === path[0]);
  // One that failed itself was not carried out.
  const carriedOut = fields.slice(0, path.length > 1 ? index + 1 : index).map(({ name }) => name);
  const error = errorAfter(operation.operation === 'mutation' ? carriedOut : []);
  run.excess = locatedError(error, nodes, path);
}

function nullify(position: Position): void {
  position.isNulled = true;
  put(position.container, position.key, null);
  if (!position.nullable && position.parent) nullify(position.parent);
}

export const keysOf = (position: Position): (string | number)[] =>
  position.parent ? [...keysOf(position.parent), position.key] : [];

type Path = GraphQLResolveInfo['path'];

const paths = new WeakMap<Position, Map<string | number, Path>>();

/** The response path of a member of a position: always the same object, since plugins cache what they loaded by it. */
function pathIn(position: Position, key: string | number, typename?: string): Path {
  const children = memoize(paths, position, () => new Map<string | number, Path>());
  const path = children.get(key);
  if (path && (path.typename || !typename)) return path;
  const created = path ? Object.assign(path, { typename }) : { prev: pathOf(position), key, typename };
  children.set(key, created);
  return created;
}

const pathOf = ({ parent, key }: Position): Path | undefined => parent && pathIn(parent, key);

/** GraphQLResolveInfo with members computed on use, as few resolvers read them. */
export class Info implements GraphQLResolveInfo {
  readonly #run: Run;
  readonly #field: FieldPlan;
  readonly #parent: Position;
  readonly rootValue = undefined;

  constructor(run: Run, field: FieldPlan, parent: Position) {
    this.#run = run;
    this.#field = field;
    this.#parent = parent;
  }

  get fieldName() {
    return this.#field.name;
  }
  get fieldNodes() {
    return this.#field.nodes;
  }
  get returnType() {
    return this.#field.definition.type;
  }
  get parentType() {
    return this.#field.parent;
  }
  get path(): Path {
    return pathIn(this.#parent, this.#field.key, this.#field.parent.name);
  }
  get schema() {
    return this.#run.plan.schema;
  }
  get fragments() {
    return this.#run.plan.fragments;
  }
  get operation() {
    return this.#run.plan.operation;
  }
  get variableValues() {
    return this.#run.variables;
  }
}
