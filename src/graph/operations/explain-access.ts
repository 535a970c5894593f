import type { ExecutionResult, GraphQLError } from 'graphql';
import { type AccessExplanation, explanationOf } from '../../domain/kernel/access-rule.ts';
import { DomainError, explainError } from '../../domain/kernel/errors.ts';
import { allowedTo, type Viewer } from '../../domain/kernel/viewer.ts';
import type { GraphContext } from '../engine/context.ts';
import type { Request } from '../engine/run.ts';
import { refusedFields } from './explain-scopes.ts';

/** The organization roles that see a field; for all others it is null or empty. `noApplication`: it is so for every application. */
export interface HiddenFrom {
  roles: readonly ('OWNER' | 'ADMIN' | 'MEMBER')[];
  noApplication?: boolean;
}

type Path = readonly (string | number)[];

/** One path of a response that was refused or hidden. */
export interface ExplainedPath extends AccessExplanation {
  path: Path;
  /** `Type.field`, where it is known. */
  coordinate?: string;
}

/** Fields that the viewer cannot see, as they are resolved. */
export interface HiddenFields {
  onField: NonNullable<GraphContext['onField']>;
  paths: ExplainedPath[];
}

interface Declaring {
  extensions: { pothosOptions?: { hidden?: HiddenFrom } };
}

const organizationOf = (source: unknown): string | undefined => {
  const { id, organizationId } = (source ?? {}) as { id?: unknown; organizationId?: unknown };
  if (typeof organizationId === 'string') return organizationId;
  return typeof id === 'string' && id.startsWith('org_') ? id : undefined;
};

const hiddenBy = (
  { roles, noApplication }: HiddenFrom,
  viewer: Viewer,
  organizationId: string | undefined,
): AccessExplanation | undefined => {
  if (noApplication && viewer.clientId) return explanationOf({ rule: 'NO_APPLICATION' });
  const membership = viewer.memberships.find((each) => each.organizationId === organizationId);
  if (membership?.projects) return explanationOf({ rule: 'AUTHORIZATION_LIMIT' });
  return (roles as readonly string[]).includes(membership?.role ?? '')
    ? undefined
    : explanationOf({ rule: 'ORGANIZATION_ROLE', required: roles });
};

/** Collects the fields that are hidden from the viewer by the declaration beside them. */
export function hiddenFields(viewer: Viewer): HiddenFields {
  const paths: ExplainedPath[] = [];
  return {
    paths,
    onField: ({ definition, parent, name }, source, path) => {
      const { hidden } = (definition as unknown as Declaring).extensions.pothosOptions ?? {};
      const explanation = hidden && hiddenBy(hidden, viewer, organizationOf(source));
      if (explanation) paths.push({ path, coordinate: `${parent.name}.${name}`, ...explanation });
    },
  };
}

/** Beyond it, paths are left out. */
const MAX_PATHS = 100;

/** Which paths of a response were refused or hidden, by which rule, and who can grant what is missing. */
export function explainResult(
  { schema, document, operationName, contextValue }: Request,
  { data, errors = [] }: ExecutionResult,
  hidden: readonly ExplainedPath[],
): ExplainedPath[] {
  const refused = errors.flatMap((error) =>
    codeOf(error) === 'INSUFFICIENT_SCOPE' && !error.path
      ? scopePaths(error, refusedFields(schema, document, operationName, allowedTo(contextValue.viewer)))
      : pathOf(error),
  );
  const paths = [...refused, ...nullRoots(data, errors), ...hidden];
  return paths.slice(0, MAX_PATHS);
}

const codeOf = ({ originalError, extensions }: GraphQLError): unknown =>
  originalError instanceof DomainError ? originalError.code : extensions?.code;

/** The explanation of an error; one of a stored response has its code alone. */
function pathOf(error: GraphQLError): ExplainedPath[] {
  const { path = [], originalError } = error;
  const failure = originalError instanceof DomainError ? originalError : undefined;
  const explanation = failure && explainError(failure);
  return explanation ? [{ path, ...explanation }] : [];
}

/** Of an operation that was refused as a whole: the fields that require what is missing, or all of it. */
function scopePaths(error: GraphQLError, fields: ReturnType<typeof refusedFields>): ExplainedPath[] {
  const explanation = explanationOf({ rule: 'SCOPE' });
  return fields.length === 0 ? pathOf(error) : fields.map((field) => ({ ...explanation, ...field }));
}

/** Root fields that are null without an error: the object does not exist, or is not visible. */
const nullRoots = (data: ExecutionResult['data'], errors: readonly GraphQLError[]): ExplainedPath[] =>
  Object.entries(data ?? {}).flatMap(([key, value]) =>
    value === null && !errors.some(({ path }) => path?.[0] === key)
      ? [{ path: [key], ...explanationOf({ rule: 'VISIBILITY' }) }]
      : [],
  );
