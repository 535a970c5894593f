import type { Context as Call } from 'hono';
import { deprecationHeaders, routeName } from '../../lib/deprecation/deprecation.ts';
import { DEPRECATIONS } from '../../lib/deprecation/deprecations.ts';
import type { Route } from './route.ts';

/**
 * For a deprecated path of a route: says in the response since when and until when, where that is explained, and which path
 * replaces it (RFC 9745, RFC 8594, RFC 5829 §3.3), and names the path for the counts of who uses it.
 */
export function announceDeprecation(
  { publicUrl }: { publicUrl: string },
  call: Call,
  route: Route,
  path: string,
) {
  const name = routeName(route.method, path);
  const deprecation = DEPRECATIONS[name];
  if (!deprecation) return;
  call.set('deprecated', [name]);
  for (const [header, value] of Object.entries(deprecationHeaders(deprecation))) call.header(header, value);
  const links = [`<${publicUrl}/docs/rest#deprecated-paths>; rel="deprecation"; type="text/html"`];
  if (path !== route.path)
    links.push(`<${publicUrl}/api/v1${filled(route.path, call)}>; rel="successor-version"`);
  call.header('Link', links.join(', '));
}

/** A path with the values that the request has for its parameters. */
const filled = (path: string, { req }: Call): string =>
  path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(req.param(name) ?? ''));
