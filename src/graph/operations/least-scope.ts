import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { badInput, notFound } from '../../domain/kernel/errors.ts';
import type { Scope } from '../../domain/kernel/scope.ts';
import { requiredScopes } from './required-scopes.ts';
import { leastScopesOf } from './scope.ts';
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
    throw badInput('operationName: must name an operation of the document', 'operationName');
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
    throw badInput(`document: ${error.message}`, 'document', error);
  }
}

/** The smallest set of scopes for a method and a path of REST v1; undefined if there is no such route. */
export type RouteScopes = (method: string, path: string) => Scope[] | undefined;

let routeScopes: RouteScopes | undefined;

/** Makes the routes of REST v1 known to the graph, which they are built on. */
export function provideRouteScopes(lookup: RouteScopes): void {
  routeScopes = lookup;
}

/** The smallest set of scopes for a route of REST v1, such as `GET` and `/user/profile`. Throws NOT_FOUND. */
export function leastScopesOfRoute(method: string, path: string): Scope[] {
  const scopes = routeScopes?.(method.toUpperCase(), path);
  if (!scopes) throw notFound('Route', 'path');
  return scopes;
}
