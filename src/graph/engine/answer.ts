import { type GraphQLError, type GraphQLResolveInfo, locatedError } from 'graphql';
import type { JsonBytes } from '../../lib/json-bytes.ts';
import { memoize } from '../../lib/memoize.ts';
import type { GraphContext } from './context.ts';
import type { FieldPlan, Plan, Shape } from './plan.ts';

export type Values = Record<string, unknown>;
export type Container = Values | unknown[];

/** Objects of an answer: no member of theirs is inherited, whatever a client calls its fields. */
export const Answer = function Answer() {} as unknown as new () => Values;
Answer.prototype = Object.create(null);

/** One request's run through a plan. */
export interface Run {
  plan: Plan;
  context: GraphContext;
  variables: Values;
  errors: GraphQLError[];
  /** Arguments of fields that were read ahead. */
  known: Map<FieldPlan, Values>;
  /** Takes what need not be read to be written, where an answer is wanted as JSON: it stands there as Written. */
  json: JsonBytes | undefined;
}

/** Where an object or a list stands in the answer; the root has nothing above it. */
export interface Place {
  into: Container;
  key: string | number;
  nullable: boolean;
  up: Place | undefined;
  /** It became null for what failed below: what else fails there is not told. */
  gone: boolean;
}

export const put = (into: Container, key: string | number, value: unknown): void => {
  (into as Values)[key] = value;
};

/** Tells of an error, and makes null what cannot be without it (GraphQL specification §6.4.4). */
export function fail(
  run: Run,
  { nodes }: FieldPlan,
  { nullable }: Shape,
  error: unknown,
  into: Container,
  key: string | number,
  up: Place,
): void {
  for (let place: Place | undefined = up; place; place = place.up) if (place.gone) return;
  run.errors.push(locatedError(error, nodes, [...keysOf(up), key]));
  if (nullable) put(into, key, null);
  else giveUp(up);
}

function giveUp(place: Place): void {
  place.gone = true;
  put(place.into, place.key, null);
  if (!place.nullable && place.up) giveUp(place.up);
}

const keysOf = (place: Place): (string | number)[] => (place.up ? [...keysOf(place.up), place.key] : []);

type Path = GraphQLResolveInfo['path'];

const paths = new WeakMap<Place, Map<string | number, Path>>();

/** The response path of a member of a place: always the same object, as plugins store by it what they have loaded. */
function pathIn(place: Place, key: string | number, typename?: string): Path {
  const below = memoize(paths, place, () => new Map<string | number, Path>());
  const path = below.get(key);
  if (path && (path.typename || !typename)) return path;
  const created = path ? Object.assign(path, { typename }) : { prev: pathOf(place), key, typename };
  below.set(key, created);
  return created;
}

const pathOf = ({ up, key }: Place): Path | undefined => up && pathIn(up, key);

/** What resolvers may ask of where they are; few do, so it is worked out when they do. */
export class Info implements GraphQLResolveInfo {
  readonly #run: Run;
  readonly #field: FieldPlan;
  readonly #up: Place;
  readonly rootValue = undefined;

  constructor(run: Run, field: FieldPlan, up: Place) {
    this.#run = run;
    this.#field = field;
    this.#up = up;
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
    return pathIn(this.#up, this.#field.key, this.#field.parent.name);
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
