import fc from 'fast-check';
import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType } from 'graphql';
import { schema } from '../../src/graph/schema/schema.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import type { At, ProjectSelection, Role, Selection, Twin, Twins } from './twin.ts';

type Members = Record<string, unknown>;

/** A command of both APIs: its arguments, and how each API sends them. */
export interface Command<Args> {
  mutation: string;
  /** Its route in REST v1. Without one, both twins use GraphQL (one-api-only.ts). */
  row?: string;
  /** Relative frequency in random sequences; 4 by default. */
  weight?: number;
  /** Arguments with which it succeeds after the commands before it in the table; run by the owner or `sampleBy`. */
  sample: Args;
  sampleBy?: Role;
  args: fc.Arbitrary<Args>;
  /** The input of the mutation, without organization and project. */
  graph: (args: Args, at: At) => Members;
  /** The path parameters other than organization and project, the query and the body. */
  rest?: (args: Args, at: At) => { path?: Record<string, string>; query?: string; body?: unknown };
  /** A query that GraphQL runs first: if it finds the object at `there`, the mutation is skipped. */
  unless?: (args: Args, at: At) => { query: string; variables: Members };
  /** Runs afterwards, outside of both APIs. */
  after?: (twin: Twin) => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments of one command go to that command alone
export type AnyCommand = Command<any>;

/** Type-checks a command's arguments for both APIs; fast-check prints the name of its mutation. */
export const command = <Args>(definition: Command<Args>): AnyCommand =>
  Object.assign(definition, { [fc.toStringMethod]: () => definition.mutation });

const PLAIN = ['Alpha', 'Beta', 'Größe 7', '  spaced  '];
export const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', 'x'.repeat(256), 'a\u0007b', 'nul\u0000') },
);
export const ref: fc.Arbitrary<Selection> = fc.oneof(
  { weight: 10, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(3) },
  { weight: 1, arbitrary: fc.constantFrom('foreign' as const, 'unknown' as const) },
);
export const refs = fc.oneof(
  { weight: 12, arbitrary: fc.array(ref, { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant([] as Selection[]) },
);
export const who = fc.constantFrom('owner', 'member', 'guest', 'stranger', 'nobody');
export const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
/** One or two, rarely none. */
export const several = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant([] as Value[]) },
  );

export interface Step {
  by: Role;
  project: ProjectSelection;
  command: AnyCommand;
  args: unknown;
}

export const HERE: ProjectSelection = { organization: 0, project: 0 };

const project: fc.Arbitrary<ProjectSelection> = fc.oneof(
  { weight: 16, arbitrary: fc.constant(HERE) },
  { weight: 1, arbitrary: fc.constant({ organization: 0, project: 1 }) },
  {
    weight: 1,
    arbitrary: fc.record({
      organization: fc.constantFrom<Selection>(0, 1, 'foreign', 'unknown'),
      project: fc.constantFrom<Selection>(0, 'foreign', 'unknown'),
    }),
  },
);
const by: fc.Arbitrary<Role> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('owner') },
  { weight: 4, arbitrary: fc.constant('member') },
  { weight: 2, arbitrary: fc.constantFrom('guest', 'stranger', 'reader') },
);

export const steps = (commands: AnyCommand[], length: number) =>
  fc.array(
    fc
      .oneof(...commands.map((each) => ({ weight: each.weight ?? 4, arbitrary: fc.constant(each) })))
      .chain((each) =>
        fc.record({ by, project, command: fc.constant(each), args: each.args }),
      ) as fc.Arbitrary<Step>,
    { minLength: length, maxLength: length },
  );

/** The outcomes of a step in both twins: `ok`, or the code of the refusal. */
export async function runStep(twins: Twins, step: Step, at: { rest: At; graph: At }) {
  const { command, args, by } = step;
  const inGraph = await throughGraph(twins.graph.people[by], command, args, at.graph);
  const inRest = command.rest
    ? await throughRest(twins.rest.people[by], command, args, at.rest)
    : await throughGraph(twins.rest.people[by], command, args, at.rest);
  return { rest: inRest, graph: inGraph };
}

type Person = Twin['people'][Role];

const fieldsOfInput = (mutation: string) => {
  const field = (schema as GraphQLSchema).getMutationType()?.getFields()[mutation];
  if (!field) throw new Error(`${mutation} is no mutation`);
  const type = getNamedType(field.args[0]?.type) as GraphQLInputObjectType;
  return { type: type.name, members: Object.keys(type.getFields()) };
};

const EMPTY_RECORD = ['INSUFFICIENT_SCOPE', 'FORBIDDEN'];

export async function throughGraph(
  person: Person,
  { mutation, graph, unless }: AnyCommand,
  args: unknown,
  at: At,
) {
  if (unless) {
    const { query, variables } = unless(args, at);
    const { data, errors } = await person.graph(query, variables);
    if (errors) return errors[0]?.extensions.code;
    const { organizationId, project, there } = data.document;
    if (organizationId !== at.path.organizationId || project.id !== at.path.projectId) return 'NOT_FOUND';
    if (there) return 'ok';
  }
  const { type, members } = fieldsOfInput(mutation);
  const where = Object.fromEntries(Object.entries(at.path).filter(([member]) => members.includes(member)));
  const text = `mutation ($input: ${type}!) { ${mutation}(input: $input) { __typename } }`;
  const { errors } = await person.graph(text, { input: { ...where, ...graph(args, at) } });
  const code = errors?.[0]?.extensions.code ?? 'ok';
  // REST v1 answers an empty record to who may not create it.
  return unless && EMPTY_RECORD.includes(code) ? 'ok' : code;
}

const CODES: Record<number, string> = {
  200: 'ok',
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
};

async function throughRest(person: Person, { row: id, rest }: AnyCommand, args: unknown, at: At) {
  const row = restRoutes.find((each) => each.id === id);
  if (!row || !rest) throw new Error(`${id} is no route of REST v1`);
  const { path = {}, query = '', body } = rest(args, at);
  const filled = row.path.replace(/:(\w+)/g, (_, member: string) => {
    const value = { ...at.path, ...path }[member];
    if (value === undefined) throw new Error(`${id} needs ${member}`);
    return value;
  });
  const text = (body as { text?: unknown } | undefined)?.text;
  const { status, headers } =
    typeof text === 'string'
      ? await person.rest(row.method, filled + query, undefined, { text })
      : await person.rest(row.method, filled + query, body);
  const scope = headers.get('www-authenticate')?.includes('insufficient_scope');
  return scope ? 'INSUFFICIENT_SCOPE' : (CODES[status] ?? `status ${status}`);
}
