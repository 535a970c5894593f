import type { Scope } from '../domain/kernel/scope.ts';
import { scopeAlternatives } from '../graph/http/execute.ts';
import { viewerDocumentRoutes } from './documents/viewer-routes.ts';
import { restRoutes } from './routes.ts';
import type { Route } from './wire/route.ts';

const PREFIX = /^\/api\/v1(?=\/)/;

/** Whether a path has the form of a template of a route; a value may be any text without a slash. */
function fits(template: string, path: string): boolean {
  const [expected, given] = [template.split('/'), path.split('/')];
  return (
    expected.length === given.length &&
    expected.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}

/** The smallest set of scopes for a method and a path, with or without `/api/v1`; undefined if there is no such route. */
export function scopesOfRoute(method: string, path: string): Scope[] | undefined {
  const [below = ''] = path.replace(PREFIX, '').split('?');
  const route = [...restRoutes, ...viewerDocumentRoutes].find(
    (each) =>
      each.method === method &&
      [each.path, ...(each.aliases ?? [])].some((template) => fits(template, below)),
  );
  return route && scopeAlternatives(route.operations.required)[0];
}

/** The routes whose operations a credential is permitted: `GET /user/profile`, with names in braces for what varies. */
export const reachedRoutes = (permits: (required: Route['operations']['required']) => boolean): string[] =>
  [...restRoutes, ...viewerDocumentRoutes]
    .filter(({ operations }) => permits(operations.required))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
