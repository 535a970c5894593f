import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';

/** Probes name the process by its address. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Clients choose the header, so that the number of lines is limited. */
const MAX_WARNINGS = 3;

/**
 * Warns when requests arrive under another host than that of PUBLIC_URL: links, sign-in and OAuth then use the wrong one.
 * Each host is named once. Requests from the machine itself do not count.
 */
export function hostWarning(publicUrl: string, log: Logger): MiddlewareHandler {
  const { host: expected } = new URL(publicUrl);
  const seen = new Set<string>();
  return async (call, next) => {
    const host = call.req.header('host')?.toLowerCase();
    if (
      host &&
      host !== expected &&
      seen.size < MAX_WARNINGS &&
      !seen.has(host) &&
      !isLocal(host, call.req.path)
    ) {
      seen.add(host);
      log.warn(
        { host, publicUrl },
        `Requests arrive under the host ${host}, but PUBLIC_URL is ${publicUrl}: set PUBLIC_URL to the address that people use.`,
      );
    }
    await next();
  };
}

const isLocal = (host: string, path: string): boolean =>
  PROBES.has(path) || LOOPBACK.test(host.replace(/:\d+$/, ''));
