import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { badValue, notFound } from '../../domain/kernel/errors.ts';
import type { Scope } from '../../domain/kernel/scope.ts';
import { type RequiredScopes, requiredScopes } from './required-scopes.ts';
import { leastScopesOf } from './scope.ts';
import { type Credential, mayRun } from './scope-reach.ts';
import { requireReadable } from './text-limits.ts';

/**
 * The smallest set of scopes with which an operation of a text runs. Throws BAD_USER_INPUT for a text that is not valid, and for an operation
 * that it does not have or that has to be named; COST_LIMIT_EXCEEDED for one that is too long to be read.
 */
export function leastScopesOfText(
  schema: GraphQLSchema,
  text: string,
  operationName?: string | null,
): Scope[] {
  requireReadable(text);
  const document = validDocument(schema, text);
  if (!getOperationAST(document, operationName))
    throw badValue('operationName', 'must name an operation of the document');
  return leastScopesOf([requiredScopes(schema, document, operationName)]);
}

function validDocument(schema: GraphQLSchema, text: string): DocumentNode {
  try {
    const document = parse(text);
    const [error] = validate(schema, document);
    if (error) throw error;
    return document;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw badValue('document', error.message, { cause: error });
  }
}

/** What the graph asks of REST v1, which is built on it. */
export interface RouteScopes {
  /** The smallest set of scopes for a method and a path; undefined if there is no such route. */
  scopesOfRoute: (method: string, path: string) => Scope[] | undefined;
  /** The method and the path of each route whose operations are permitted. */
  reachedRoutes: (permits: (required: readonly RequiredScopes[]) => boolean) => string[];
}

let routeScopes: RouteScopes | undefined;

/** Makes the routes of REST v1 known to the graph. */
export function provideRouteScopes(routes: RouteScopes): void {
  routeScopes = routes;
}

/** The routes of REST v1 that a credential may call, such as `GET /user/profile`. */
export const reachedRoutes = (credential: Credential): string[] =>
  routeScopes?.reachedRoutes((required) => required.every((each) => mayRun(each, credential))) ?? [];

/** The smallest set of scopes for a route of REST v1, such as `GET` and `/user/profile`. Throws NOT_FOUND. */
export function leastScopesOfRoute(method: string, path: string): Scope[] {
  const scopes = routeScopes?.scopesOfRoute(method.toUpperCase(), path);
  if (!scopes) throw notFound('Route', 'path');
  return scopes;
}
